"""The clipped surrogate of PPO.

    loss = -reduce_bt min(rho A, clip(rho, 1 - clip, 1 + clip_high) A),   rho = exp(logp - logp_old)

Source: Schulman et al. (2017), equation 7.
Theorems: `clip_gradient_cases`, `clipped_surrogate_is_pessimistic`.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.reductions import reduce_tokens

FAMILY = "policy"


def ratio(logp: Tensor, logp_old: Tensor, log_ratio_clamp: float | None = None) -> Tensor:
    """rho = exp(logp - logp_old), the log-ratio limited to +-log_ratio_clamp (flat beyond)."""
    log_ratio = logp - logp_old
    if log_ratio_clamp is not None:
        log_ratio = log_ratio.clamp(-log_ratio_clamp, log_ratio_clamp)
    return log_ratio.exp()


def per_token(adv: Tensor, like: Tensor) -> Tensor:
    """Advantages [B] or [B,T] as [B,T]."""
    return adv if adv.dim() == like.dim() else adv[:, None].expand_as(like)


def clipped_surrogate(
    rho: Tensor, adv: Tensor, clip: float, clip_high: float | None = None
) -> Tensor:
    """min(rho A, clip(rho) A) per token; `clip_high` defaults to `clip`."""
    high = clip if clip_high is None else clip_high
    return torch.minimum(rho * adv, rho.clamp(1 - clip, 1 + high) * adv)


def ppo_clip(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    log_ratio_clamp: float | None = None,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho where the token is not clipped; differentiable too in logp_old and adv,
    which callers hold fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp, old = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.0, -3.0]])
    >>> adv, mask = torch.ones(1, 2), torch.ones(1, 2)
    >>> round(float(ppo_clip(logp, old, adv, mask)), 6)  # -(1 + 1.2) / 2
    -1.1
    """
    rho = ratio(logp, logp_old, log_ratio_clamp)
    objective = clipped_surrogate(rho, per_token(adv, logp), clip, clip_high)
    return reduce_tokens(-objective, mask, reduce, norm=norm, guard=guard)


def specification(
    *, clip: float = 0.2, clip_high: float | None = None, log_ratio_clamp: float | None = None
) -> Any:
    """-min(rho A, clip(rho) A) as a kernel term in logp, logp_old, adv."""
    from derivations.language.syntax import smaller
    from numerics.token_terms import between, decimal, token_variables

    rho, adv = ratio_term(log_ratio_clamp), token_variables()["adv"]
    high = clip if clip_high is None else clip_high
    return -smaller(rho * adv, between(rho, 1 - decimal(clip), 1 + decimal(high)) * adv)


def ratio_term(log_ratio_clamp: float | None = None) -> Any:
    """exp(logp - logp_old) as a kernel term, the log-ratio limited."""
    from derivations.language.syntax import exp
    from numerics.token_terms import between, decimal, token_variables

    x = token_variables()
    gap = x["logp"] - x["logp_old"]
    if log_ratio_clamp is not None:
        gap = between(gap, -decimal(log_ratio_clamp), decimal(log_ratio_clamp))
    return exp(gap)
