"""The surrogate of TRPO: the importance-weighted advantage, without a clip.

    loss = -reduce_bt (rho A),   rho = exp(logp - logp_old)

Source: Schulman et al., "Trust Region Policy Optimization" (2015), equation 14; its trust region is
a constraint, no part of the loss.
Theorem: `surrogate_agrees_to_first_order`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives.ppo_clip import per_token, ratio, ratio_term
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def trpo_surrogate(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    log_ratio_clamp: float | None = None,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho, never clipped; callers hold logp_old and adv fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp, old, one = torch.zeros(1, 1), -torch.log(torch.tensor([[2.0]])), torch.ones(1, 1)
    >>> float(trpo_surrogate(logp, old, 3 * one, one))  # -2 * 3
    -6.0
    """
    rho = ratio(logp, logp_old, log_ratio_clamp)
    return reduce_tokens(-rho * per_token(adv, logp), mask, reduce, norm=norm, guard=guard)


def specification(*, log_ratio_clamp: float | None = None) -> Any:
    """-rho A of a token, as a kernel term in logp, logp_old and adv."""
    from numerics.token_terms import token_variables

    return -ratio_term(log_ratio_clamp) * token_variables()["adv"]
