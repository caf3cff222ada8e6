"""SimPO: a margin of average log-probabilities, without a reference policy.

    loss = -mean log sigmoid(beta (mean_t logp_w - mean_t logp_l) - gamma)

Source: Meng et al., "SimPO: Simple Preference Optimization with a Reference-Free Reward" (2024),
equation 6. Libraries that divide gamma by beta first have gamma = beta * theirs here.
"""

from typing import Any

from torch import Tensor
from torch.nn.functional import logsigmoid

from numerics.families.preference import per_token_mean
from numerics.objectives.bradley_terry import logistic_term, over_pairs

FAMILY = "preference"


def simpo(
    logp_w: Tensor,
    logp_l: Tensor,
    mask_w: Tensor,
    mask_l: Tensor,
    *,
    beta: float = 2.0,
    gamma: float = 1.0,
    pairs: str = "mean",
) -> Tensor:
    """The loss.

    Shapes: logp_w, logp_l [B,T], averaged under mask_w and mask_l, or [B], averaged already; the
    result [], or [B] for pairs="none".
    Sign: minimised.
    Units: nats.
    Gradient: through both.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> x, one = -torch.ones(1), torch.ones(1, 1)
    >>> round(float(simpo(x, x, one, one, gamma=0.0)), 6)  # log 2
    0.693147
    """
    gap = per_token_mean(logp_w, mask_w) - per_token_mean(logp_l, mask_l)
    return over_pairs(-logsigmoid(beta * gap - gamma), pairs)


def specification(*, beta: float = 2.0, gamma: float = 1.0) -> Any:
    """The loss of a pair in logp_w and logp_l, averages over tokens."""
    from numerics.token_terms import decimal, token_variables

    x = token_variables()
    return logistic_term(decimal(beta) * (x["logp_w"] - x["logp_l"]) - decimal(gamma))
