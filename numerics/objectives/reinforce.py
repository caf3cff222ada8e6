"""REINFORCE: the log-probability of what was sampled, weighted by an advantage that is held fixed.

    loss = -reduce_bt (A log pi)

Source: Williams (1992).
Theorems: `policy_gradient`, `a_baseline_adds_no_bias`. With seq-mean-token-sum the expected
gradient is that of -E[r]; with a token mean, lengths weigh.
"""

from typing import Any

from torch import Tensor

from numerics.objectives.ppo_clip import per_token
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def reinforce(
    logp: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    reduce: str = "seq-mean-token-sum",
    norm: float | None = None,
) -> Tensor:
    """The loss.

    Shapes: logp, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in nats times the unit of the advantage.
    Gradient: through logp; callers hold adv fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp, one = torch.tensor([[-1.0, -2.0]]), torch.ones(1, 2)
    >>> float(reinforce(logp, torch.tensor([3.0]), one))  # -3 (-1 - 2)
    9.0
    """
    return reduce_tokens(-per_token(adv, logp) * logp, mask, reduce, norm=norm)


def specification() -> Any:
    """-A log pi of a token, as a kernel term in logp and adv."""
    from numerics.token_terms import token_variables

    x = token_variables()
    return -x["adv"] * x["logp"]
