"""The gradient of one pass over all micro-batches together.

    token loss = (features . weight - target)^2
    gradient   = d/d weight of its mean over all tokens of all micro-batches (or another reduction)

What accumulation must give whatever the split is: sums over micro-batches with the denominator of
the whole batch. The mean of the micro-batches' own means is another gradient as soon as they hold
unequal numbers of tokens.

Source: the definition of the gradient of a mean; no paper is needed.
Theorem: `token_mean_weighs_sequences_by_length`.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.reductions import reduce_tokens

FAMILY = "accumulation"


def accumulated_gradient(
    weight: Tensor,
    features: Tensor,
    targets: Tensor,
    mask: Tensor,
    *,
    reduce: str = "token-mean",
    norm: float | None = None,
) -> Tensor:
    """The gradient of the loss over all micro-batches.

    Shapes: weight [V]; features [N,B,T,V]; targets, mask [N,B,T]; the result [V].
    Sign: the gradient of a loss that is minimised.
    Units: those of the loss over those of the weight.
    Gradient: none, the result is data.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> x, m = torch.ones(2, 1, 2, 1), torch.tensor([[[1.0, 1.0]], [[1.0, 0.0]]])
    >>> y = torch.tensor([[[0.0, 0.0]], [[3.0, 0.0]]])
    >>> accumulated_gradient(torch.zeros(1), x, y, m).tolist()  # 2 (0 + 0 - 3) / 3
    [-2.0]
    """
    with torch.enable_grad():
        leaf = weight.detach().requires_grad_()
        errors = ((features @ leaf - targets) ** 2).flatten(0, 1)
        loss = reduce_tokens(errors, mask.flatten(0, 1), reduce, norm=norm)
        return torch.autograd.grad(loss, leaf)[0]


def specification() -> Any:
    """2 (sum_v features(v) weight(v) - target) component: a token's share in one entry."""
    from derivations.language.syntax import Sum, members, reals
    from numerics.row_terms import row_variables

    x, v = row_variables(), members("V", "v")
    product = Sum(x["features"](v) * x["weight"](v), v)
    return 2 * (product - reals("target")) * reals("component")
