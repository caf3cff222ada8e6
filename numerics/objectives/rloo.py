"""RLOO: REINFORCE on whole responses, each against the mean of the others to its prompt.

    A_i = r_i - mean of the other rewards of the same prompt
    loss = -mean_i A_i sum_t log pi

Source: Ahmadian et al. (2024), equation 7; a penalty in the reward is the caller's. A response
alone with its prompt gets no advantage.
Theorem: `leave_one_out_is_unbiased`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import group_leave_one_out
from numerics.objectives.reinforce import reinforce

FAMILY = "group_policy"


def rloo(
    logp: Tensor,
    rewards: Tensor,
    group: Tensor,
    mask: Tensor,
    *,
    reduce: str = "seq-mean-token-sum",
    norm: float | None = None,
) -> Tensor:
    """The loss.

    Shapes: logp, mask [B,T]; rewards, group [B]; the result []. Equal numbers in group are one
    prompt.
    Sign: minimised.
    Units: log-probabilities in nats; the loss in nats times the unit of the reward.
    Gradient: through logp; the advantages are held fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp = torch.tensor([[-1.0], [-3.0]])
    >>> r, g = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])
    >>> float(rloo(logp, r, g, torch.ones(2, 1)))  # -(-1 - -3) / 2
    -1.0
    """
    adv = group_leave_one_out.group_leave_one_out(rewards, group, mask).detach()
    return reinforce(logp, adv, mask, reduce=reduce, norm=norm)


def specification() -> Any:
    """-A sum_t mask(t) logp(t) of a response that is not alone."""
    from numerics.row_terms import row_variables, sum_over_tokens

    return -group_leave_one_out.specification() * sum_over_tokens(row_variables()["logp"])
