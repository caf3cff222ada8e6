"""KTO on pairs: each response against a reference point, not against the other.

    h_w = log(pi(y_w) / ref(y_w)),   h_l = log(pi(y_l) / ref(y_l))
    loss = mean ( weight_w (1 - sigmoid(beta (h_w - point)))
                + weight_l (1 - sigmoid(beta (point - h_l))) ) / 2

Source: Ethayarajh et al., "KTO: Model Alignment as Prospect Theoretic Optimization" (2024). The
reference point is there an estimate of KL(pi || ref), shared by a batch and held fixed; here it is
a number.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.families.preference import per_response
from numerics.objectives.bradley_terry import over_pairs

FAMILY = "preference"


def kto(
    logp_w: Tensor,
    logp_l: Tensor,
    ref_w: Tensor,
    ref_l: Tensor,
    mask_w: Tensor,
    mask_l: Tensor,
    *,
    beta: float = 0.1,
    point: float = 0.0,
    weight_w: float = 1.0,
    weight_l: float = 1.0,
    pairs: str = "mean",
) -> Tensor:
    """The loss.

    Shapes: log-probabilities of whole responses [B], or of tokens [B,T], summed under mask_w and
    mask_l; the result [], or [B] for pairs="none".
    Sign: minimised.
    Units: nats for log-probabilities and point; the loss has none.
    Gradient: through logp_w and logp_l; callers hold the reference fixed.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> x, one = -torch.ones(1), torch.ones(1, 1)
    >>> float(kto(x, x, x, x, one, one))
    0.5
    """
    h_w = per_response(logp_w, mask_w) - per_response(ref_w, mask_w)
    h_l = per_response(logp_l, mask_l) - per_response(ref_l, mask_l)
    # 1 - sigmoid(x) = sigmoid(-x), without the loss of digits
    wanted = weight_w * torch.sigmoid(-beta * (h_w - point))
    unwanted = weight_l * torch.sigmoid(-beta * (point - h_l))
    return over_pairs((wanted + unwanted) / 2, pairs)


def specification(
    *, beta: float = 0.1, point: float = 0.0, weight_w: float = 1.0, weight_l: float = 1.0
) -> Any:
    """The loss of a pair."""
    from derivations.language.syntax import exp
    from numerics.token_terms import decimal, token_variables

    x, b, z = token_variables(), decimal(beta), decimal(point)
    h_w, h_l = x["logp_w"] - x["ref_w"], x["logp_l"] - x["ref_l"]
    wanted = decimal(weight_w) / (1 + exp(b * (h_w - z)))
    unwanted = decimal(weight_l) / (1 + exp(b * (z - h_l)))
    return (wanted + unwanted) / 2
