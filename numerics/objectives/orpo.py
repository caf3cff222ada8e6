"""ORPO: the likelihood of the preferred response and the odds ratio of both.

    P = exp(mean_t logp),   odds = P / (1 - P)
    loss = mean( -mean_t logp_w - weight log sigmoid(log(odds_w / odds_l)) )

Source: Hong et al., "ORPO: Monolithic Preference Optimization without Reference Model" (2024),
equations 3 to 7. The first term averages each response first; a library that averages over all
tokens of the batch differs where lengths do.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from numerics.families.preference import per_token_mean
from numerics.objectives.bradley_terry import logistic_term, over_pairs

FAMILY = "preference"


def orpo(
    logp_w: Tensor,
    logp_l: Tensor,
    mask_w: Tensor,
    mask_l: Tensor,
    *,
    weight: float = 0.1,
    pairs: str = "mean",
) -> Tensor:
    """The loss.

    Shapes: logp_w, logp_l [B,T], averaged under mask_w and mask_l, or [B], averaged already; the
    result [], or [B] for pairs="none".
    Sign: minimised.
    Units: nats; log-probabilities are below 0.
    Gradient: through both.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> x, one = -torch.ones(1), torch.ones(1, 1)
    >>> round(float(orpo(x, x, one, one)), 6)  # 1 + log(2) / 10
    1.069315
    """
    w, lo = per_token_mean(logp_w, mask_w), per_token_mean(logp_l, mask_l)
    gap = (w - lo) - (_log_of_the_rest(w) - _log_of_the_rest(lo))
    return over_pairs(-w - weight * logsigmoid(gap), pairs)


def _log_of_the_rest(logp: Tensor) -> Tensor:
    """log(1 - exp(logp)), precise also near logp = 0."""
    return torch.log(-torch.expm1(logp))


def specification(*, weight: float = 0.1) -> Any:
    """The loss of a pair in logp_w and logp_l, averages over tokens."""
    from derivations.language.syntax import exp, log
    from numerics.token_terms import decimal, token_variables

    x = token_variables()
    w, lo = x["logp_w"], x["logp_l"]
    gap = (w - lo) - (log(1 - exp(w)) - log(1 - exp(lo)))
    return -w + decimal(weight) * logistic_term(gap)
