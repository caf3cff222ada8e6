"""Dr. GRPO: the clipped surrogate with one constant denominator for every response.

    loss = -mean over responses of sum_t m min(rho A, clip(rho) A) / norm,   A_i = r_i - mean(r)

Source: Liu et al., "Understanding R1-Zero-Like Training: A Critical Perspective" (2025). The
advantages come without a standard deviation (`group_mean`); norm is a constant, by default the
padded length.
Theorem: `length_normalisation_follows_another_objective`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import ppo_clip as base

FAMILY = "policy"


def dr_grpo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    norm: float | None = None,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho where the token is not clipped; callers hold logp_old and adv fixed.
    Raises: nothing of its own.

    >>> import torch
    >>> x, mask = torch.zeros(2, 2), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    >>> float(dr_grpo(x, x, torch.tensor([3.0, 0.0]), mask, norm=4.0))  # -(6 / 4 + 0 / 4) / 2
    -0.75
    """
    return base.ppo_clip(
        logp,
        logp_old,
        adv,
        mask,
        clip=clip,
        clip_high=clip_high,
        reduce="seq-mean-token-sum-norm",
        norm=norm,
    )


def specification(*, clip: float = 0.2, clip_high: float | None = None) -> Any:
    """`ppo_clip`'s, per token."""
    return base.specification(clip=clip, clip_high=clip_high)
