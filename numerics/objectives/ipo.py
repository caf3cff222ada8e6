"""IPO: the squared distance of the margin from 1/(2 beta).

    h = log(pi(y_w) / ref(y_w)) - log(pi(y_l) / ref(y_l))
    loss = mean (h - 1/(2 beta))^2

Source: Azar et al. (2023), equation 17, where beta is called tau. With sums of token
log-probabilities; a library that averages them first gives those averages as [B].
Theorem: `identity_preference_loss_has_a_finite_optimum_for_unanimous_pairs`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives.bradley_terry import over_pairs
from numerics.objectives.dpo import margin, margin_term

FAMILY = "preference"


def ipo(
    logp_w: Tensor,
    logp_l: Tensor,
    ref_w: Tensor,
    ref_l: Tensor,
    mask_w: Tensor,
    mask_l: Tensor,
    *,
    beta: float = 0.1,
    pairs: str = "mean",
) -> Tensor:
    """The loss.

    Shapes: log-probabilities of whole responses [B], or of tokens [B,T], summed under mask_w and
    mask_l; the result [], or [B] for pairs="none".
    Sign: minimised.
    Units: nats for the margin, their square for the loss.
    Gradient: through logp_w and logp_l; callers hold the reference fixed.
    Raises: UnusableInput for another value of pairs.

    >>> import torch
    >>> x, one = -torch.ones(1), torch.ones(1, 1)
    >>> float(ipo(x, x, x, x, one, one, beta=0.5))
    1.0
    """
    h = margin(logp_w, logp_l, ref_w, ref_l, mask_w, mask_l)
    return over_pairs((h - 1 / (2 * beta)) ** 2, pairs)


def specification(*, beta: float = 0.1) -> Any:
    """(h - 1/(2 beta))^2 of a pair."""
    from numerics.token_terms import decimal

    return (margin_term() - 1 / (2 * decimal(beta))) ** 2
