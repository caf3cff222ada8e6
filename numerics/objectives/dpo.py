"""DPO: the logistic loss of the implicit reward margin, with label smoothing.

    h = log(pi(y_w) / ref(y_w)) - log(pi(y_l) / ref(y_l))
    loss = mean( -(1 - e) log sigmoid(beta h) - e log sigmoid(-beta h) )

Source: Rafailov et al. (2023), equation 7; e is the chance that a label is flipped ("conservative
DPO", Mitchell 2023).
Theorems: `partition_function_cancels_in_preferences`, `logistic_loss_is_convex`.
"""

from typing import Any

from torch import Tensor
from torch.nn.functional import logsigmoid

from numerics.families.preference import per_response
from numerics.objectives.bradley_terry import logistic_term, over_pairs

FAMILY = "preference"


def dpo(
    logp_w: Tensor,
    logp_l: Tensor,
    ref_w: Tensor,
    ref_l: Tensor,
    mask_w: Tensor,
    mask_l: Tensor,
    *,
    beta: float = 0.1,
    label_smoothing: float = 0.0,
    pairs: str = "mean",
) -> Tensor:
    """The loss.

    Shapes: log-probabilities of whole responses [B], or of tokens [B,T], summed under mask_w and
    mask_l; the result [], or [B] for pairs="none".
    Sign: minimised.
    Units: nats.
    Gradient: through logp_w and logp_l; callers hold the reference fixed.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> x, one = -torch.ones(1), torch.ones(1, 1)
    >>> round(float(dpo(x, x, x, x, one, one)), 6)  # log 2
    0.693147
    """
    scaled = beta * margin(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l)
    values = -(1 - label_smoothing) * logsigmoid(scaled) - label_smoothing * logsigmoid(-scaled)
    return over_pairs(values, pairs)


def margin(
    logp_w: Tensor, logp_l: Tensor, ref_w: Tensor, ref_l: Tensor, mask_w: Tensor, mask_l: Tensor
) -> Tensor:
    """h [B]."""
    w = per_response(logp_w, mask_w) - per_response(ref_w, mask_w)
    return w - (per_response(logp_l, mask_l) - per_response(ref_l, mask_l))


def specification(*, beta: float = 0.1, label_smoothing: float = 0.0) -> Any:
    """The loss of a pair in logp_w, logp_l, ref_w, ref_l, the numbers of whole responses."""
    from numerics.token_terms import decimal

    h, e = decimal(beta) * margin_term(), decimal(label_smoothing)
    return (1 - e) * logistic_term(h) + e * logistic_term(-h)


def margin_term() -> Any:
    """h as a kernel term."""
    from numerics.token_terms import token_variables

    x = token_variables()
    return (x["logp_w"] - x["ref_w"]) - (x["logp_l"] - x["ref_l"])
