"""DAPO: a clip that is wider above than below, averaged over all tokens of the batch.

    loss = -sum_bt m min(rho A, clip(rho, 1 - clip, 1 + clip_high) A) / sum_bt m

Source: Yu et al., "DAPO: An Open-Source LLM Reinforcement Learning System at Scale" (2025); its
sampling of prompts and its length reward are no part of the loss.
Theorems: `clip_gradient_cases`, `token_mean_weighs_sequences_by_length`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import ppo_clip as base

FAMILY = "policy"


def dapo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float = 0.28,
    log_ratio_clamp: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho where the token is not clipped; callers hold logp_old and adv fixed.
    Raises: nothing of its own.

    >>> import torch
    >>> logp, old, one = torch.zeros(1, 1), -torch.log(torch.tensor([[2.0]])), torch.ones(1, 1)
    >>> round(float(dapo(logp, old, one, one)), 6)  # rho = 2 is clipped
    -1.28
    """
    return base.ppo_clip(
        logp,
        logp_old,
        adv,
        mask,
        clip=clip,
        clip_high=clip_high,
        log_ratio_clamp=log_ratio_clamp,
        guard=guard,
    )


def specification(
    *, clip: float = 0.2, clip_high: float = 0.28, log_ratio_clamp: float | None = None
) -> Any:
    """`ppo_clip`'s, per token."""
    return base.specification(clip=clip, clip_high=clip_high, log_ratio_clamp=log_ratio_clamp)
