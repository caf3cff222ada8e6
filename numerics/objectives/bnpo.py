"""The clipped surrogate averaged over the tokens of the local batch, as TRL names it.

    loss = -sum_bt m min(rho A, clip(rho) A) / sum_bt m

Source: the loss type "bnpo" of TRL's GRPO trainer: the denominator is the number of tokens in the
batch at hand, so it depends on how a batch is split. The beta normalisation of rewards after which
it is named is an advantage estimator, no part of the loss.
Theorem: `token_mean_weighs_sequences_by_length`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import ppo_clip as base

FAMILY = "policy"


def bnpo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho where the token is not clipped; callers hold logp_old and adv fixed.
    Raises: nothing of its own.

    >>> import torch
    >>> x, mask = torch.zeros(2, 2), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    >>> float(bnpo(x, x, torch.tensor([3.0, 0.0]), mask))  # -(3 + 3 + 0) / 3
    -2.0
    """
    return base.ppo_clip(logp, logp_old, adv, mask, clip=clip, clip_high=clip_high, guard=guard)


def specification(*, clip: float = 0.2, clip_high: float | None = None) -> Any:
    """`ppo_clip`'s, per token."""
    return base.specification(clip=clip, clip_high=clip_high)
