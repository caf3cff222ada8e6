"""The unbiased estimate of the chance that one of k samples is right.

    estimate = 1 - C(n - c, k) / C(n, k)

The function is the lesson's; this is its place among the objectives.

Source: Chen et al. (2021), equation 1.
Theorem: `pass_at_k_estimator_is_unbiased`. Binomials are no kernel terms, so the tests compare it
with an enumeration of subsets.
"""

import torch
from torch import Tensor

from numerics.lessons import pass_at_k as lesson

FAMILY = "metric"


def pass_at_k(n: Tensor, c: Tensor, k: Tensor) -> Tensor:
    """The estimate.

    Shapes: n, c, k whole numbers [], as tensors or as integers; the result [].
    Sign: larger is better.
    Units: a probability.
    Gradient: none, the result is data.
    Raises: UnusableInput for numbers that are not 0 <= c <= n and 1 <= k <= n.

    >>> float(pass_at_k(4, 1, 2))
    0.5
    """
    counts = (round(float(x)) for x in (n, c, k))
    return torch.tensor(lesson.pass_at_k(*counts), dtype=torch.float64)
