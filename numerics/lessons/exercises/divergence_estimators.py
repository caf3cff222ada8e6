"""Exercise 2: k1 and k3."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.lessons.divergence import law, moments, relative_entropy
from numerics.lessons.exercises import (
    Unsolved,
    answer,
    pairs_of_results,
    require_close,
    require_passed,
)

COUNT = 40_000
ERRORS = 5.0  # standard errors: a right answer fails once in two million seeds


def check(approx_kl: Callable[..., Any], sampled_means: Callable[..., Any]) -> str:
    """`approx_kl(logp, logp_other)`: k1 and k3 of KL(p || other) for each sample of p.
    `sampled_means(p, other, count, seed)`: their means over samples. Raises Unsolved.
    """
    p, other = law(0.45, 0.35, 0.2), law(0.2, 0.3, 0.5)
    k1, k3 = pairs_of_results("approx_kl", answer(approx_kl, p.log(), other.log()))
    for name, values in (("k1", k1), ("k3", k3)):
        terms = torch.as_tensor(values)
        if terms.shape != p.shape:
            raise Unsolved(f"{name}: expected a value for each sample, got {values!r}")
        require_close(f"the mean of {name}", (p * terms).sum(), relative_entropy(p, other), "p")
    if float(torch.as_tensor(k3).min()) < 0:
        raise Unsolved(f"k3 is negative: {k3!r}")
    for place, kind in enumerate(("k1", "k3")):
        require_passed(f"your {kind}", _penalty(approx_kl, place), "kl_penalty", kind=kind)
    means = pairs_of_results("sampled_means", answer(sampled_means, p, other, COUNT, 7))
    for kind, mean in zip(("k1", "k3"), means, strict=True):
        error = (moments(kind, p, other, p).variance / COUNT) ** 0.5
        exact = relative_entropy(p, other)
        require_close(f"the sampled mean of {kind}", mean, exact, "p", ERRORS * error)
        again = pairs_of_results("sampled_means", answer(sampled_means, p, other, COUNT, 8))
        if float(again[0]) == float(means[0]):
            raise Unsolved("sampled_means does not depend on its seed: does it sample?")
    return "k1 and k3 are unbiased, in the sum and in your samples, and k3 is never negative."


def _penalty(approx_kl: Callable[..., Any], place: int) -> Callable[..., Tensor]:
    def penalty(logp: Tensor, logp_ref: Tensor) -> Tensor:
        return approx_kl(logp, logp_ref)[place]

    return penalty
