"""CISPO: REINFORCE weighted by a limited ratio whose gradient is stopped.

    loss = -reduce_bt (sg(clip(rho, lowest, highest)) A log pi),   rho = exp(logp - logp_old)

The limits are those of the weight itself: a library whose epsilon means 1 + epsilon is highest = 1
+ epsilon. Unlike in PPO every token keeps a gradient.

Source: MiniMax, "MiniMax-M1" (2025), equation 4, where only the upper limit acts.
"""

from typing import Any

from torch import Tensor

from numerics.objectives.ppo_clip import per_token, ratio
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def cispo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    lowest: float = 0.0,
    highest: float = 5.0,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in nats times the unit of the advantage.
    Gradient: through logp only; the weight is held fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp, one = torch.tensor([[-1.0]]), torch.ones(1, 1)
    >>> float(cispo(logp, logp - 9.0, one, one))  # the weight is 5
    5.0
    """
    weight = ratio(logp, logp_old).clamp(lowest, highest).detach()
    values = -weight * per_token(adv, logp) * logp
    return reduce_tokens(values, mask, reduce, norm=norm, guard=guard)


def specification(*, lowest: float = 0.0, highest: float = 5.0) -> Any:
    """-clip(rho) A log pi of a token, in logp, adv and the frozen ratio rho."""
    from numerics.token_terms import between, decimal, token_variables

    x = token_variables()
    return -between(x["rho"], decimal(lowest), decimal(highest)) * x["adv"] * x["logp"]
