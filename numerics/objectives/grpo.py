"""GRPO's loss, given its advantages: the clipped surrogate and a divergence penalty in the loss.

    loss = reduce_bt ( -min(rho A, clip(rho) A) + beta k(logp, logp_ref) )

Source: Shao et al. (2024), equation 3 (k3, without a ratio; mean over each response, then over
responses). The dual clip and the clamps are options because libraries have them on.
Theorems: `k3_as_a_loss_follows_the_forward_divergence`,
`length_normalisation_follows_another_objective`.
Shapes: logp, logp_old, logp_ref, mask [B,T]; adv [B,T] or [B]; the result [].
Sign: minimised.
Units: log-probabilities in nats; beta turns nats into the unit of the advantage.
Gradient: through rho where the token is not clipped, and through logp in the penalty; callers hold
the rest fixed.
Raises: UnusableInput for an unknown kind, kl_ratio or reduction, and for dual <= 1.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import dual_clip, kl_penalty, ppo_clip
from numerics.objectives.dual_clip import dual_clipped_surrogate
from numerics.objectives.kl_penalty import estimator, weight
from numerics.objectives.ppo_clip import clipped_surrogate, per_token, ratio
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def grpo(
    logp: Tensor,
    logp_old: Tensor,
    logp_ref: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    dual: float | None = None,
    beta: float = 0.04,
    kind: str = "k3",
    kl_ratio: str = "none",
    log_ratio_clamp: float | None = None,
    kl_log_ratio_clamp: float | None = None,
    kl_value_clamp: float | None = None,
    reduce: str = "seq-mean-token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    >>> import torch
    >>> x = torch.log(torch.tensor([[0.5]]))
    >>> float(grpo(x, x, x, torch.tensor([2.0]), torch.ones(1, 1)))  # -A
    -2.0
    """
    rho, adv = ratio(logp, logp_old, log_ratio_clamp), per_token(adv, logp)
    if dual is None:
        objective = clipped_surrogate(rho, adv, clip, clip_high)
    else:
        objective = dual_clipped_surrogate(rho, adv, clip, clip_high, dual)
    penalty = estimator(logp, logp_ref, kind, kl_log_ratio_clamp, kl_value_clamp)
    penalty = weight(logp, logp_old, kl_ratio) * penalty
    return reduce_tokens(beta * penalty - objective, mask, reduce, norm=norm, guard=guard)


def specification(
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    dual: float | None = None,
    beta: float = 0.04,
    kind: str = "k3",
    kl_ratio: str = "none",
    log_ratio_clamp: float | None = None,
    kl_log_ratio_clamp: float | None = None,
    kl_value_clamp: float | None = None,
) -> Any:
    """The clipped (or dual-clipped) loss plus beta times the penalty, per token."""
    from numerics.token_terms import decimal

    limits = {"clip": clip, "clip_high": clip_high, "log_ratio_clamp": log_ratio_clamp}
    if dual is None:
        surrogate = ppo_clip.specification(**limits)
    else:
        surrogate = dual_clip.specification(dual=dual, **limits)
    penalty = kl_penalty.specification(
        kind=kind,
        ratio=kl_ratio,
        log_ratio_clamp=kl_log_ratio_clamp,
        value_clamp=kl_value_clamp,
    )
    return surrogate + decimal(beta) * penalty
