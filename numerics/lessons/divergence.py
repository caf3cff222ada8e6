"""Relative entropy of finite laws, its Fisher quadratic, and the moments of k1, k2, k3.

    KL(q || p) = sum_x q(x) log(q(x) / p(x))        0 log 0 = 0, infinite where q > 0 = p
    F = diag(p) - p p^T  for p = softmax(theta)     KL(theta || theta + D) ~ D^T F D / 2
    k1 = -log r,  k2 = (log r)^2 / 2,  k3 = r - 1 - log r,   r = p(x)/q(x),  x ~ q

Source: Schulman, "Approximating KL divergence" (2020); Amari, Natural gradient (1998).
Theorems: `k3_is_unbiased_and_nonnegative`, `relative_entropy_is_locally_the_fisher_quadratic`.
Shapes: laws [N]; theta and D [N]; F [N,N]; results [].
Sign: KL >= 0. `k1`, `k2`, `k3` all estimate KL(q || p) with samples from q, the first argument.
Units: nats.
Gradient: flows through both laws where they are positive.
Raises: UnusableInput for an unknown estimator; `require_law` for what is no law.

>>> import torch
>>> q, p = (torch.tensor(x, dtype=torch.float64) for x in ([0.5, 0.5], [0.25, 0.75]))
>>> round(float(relative_entropy(q, p)), 6) == round(moments("k3", q, p, q).mean, 6)
True
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objectives.kl_penalty import estimator

SUM_TOLERANCE = 1e-9  # of a law's total; far above rounding, far below a forgotten outcome


@dataclass(frozen=True)
class Moments:
    """An estimator's `mean` and `variance` under the law of its samples."""

    mean: float
    variance: float


def law(*probabilities: float) -> Tensor:
    """Numbers as a float64 vector."""
    return torch.tensor(probabilities, dtype=torch.float64)


def require_law(law: Tensor, name: str) -> None:
    """Raises UnusableInput unless the last axis is a probability law."""
    if bool((law < 0).any()) or bool(((law.sum(-1) - 1).abs() > SUM_TOLERANCE).any()):
        got = f"smallest {float(law.min()):.4g}, sums {law.sum(-1).flatten().tolist()[:4]}"
        raise UnusableInput(f"{name} is no probability law", expected="p >= 0, sum 1", got=got)


def relative_entropy(q: Tensor, p: Tensor) -> Tensor:
    """KL(q || p) []; zeros of q add nothing, also to the gradient."""
    inside = q > 0
    # Masked before the logarithm: the gradient of a masked 0 log 0 is nan.
    ratio = torch.where(inside, q, 1.0).log() - torch.where(inside, p, 1.0).log()
    return (torch.where(inside, q, 0.0) * ratio).sum()


def softmax_fisher(theta: Tensor) -> Tensor:
    """F [N,N] of a softmax over logits; singular along the ones."""
    p = torch.softmax(theta, -1)
    return torch.diag(p) - torch.outer(p, p)


def softmax_divergence(theta: Tensor, step: Tensor) -> Tensor:
    """KL(softmax(theta) || softmax(theta + step)) []."""
    return relative_entropy(torch.softmax(theta, -1), torch.softmax(theta + step, -1))


def fisher_quadratic(theta: Tensor, step: Tensor) -> Tensor:
    """step^T F(theta) step / 2 []."""
    return step @ softmax_fisher(theta) @ step / 2


def moments(kind: str, q: Tensor, p: Tensor, sampler: Tensor) -> Moments:
    """Exact mean and variance of k1, k2 or k3 for KL(q || p) when x ~ sampler (q, when right)."""
    values = estimator(q.log(), p.log(), kind)
    mean = (sampler * values).sum()
    return Moments(float(mean), float((sampler * (values - mean) ** 2).sum()))
