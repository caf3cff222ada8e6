"""Relative entropy with zeros, the Fisher information, exact moments of the estimators."""

import pytest
import torch
from scipy.special import rel_entr

from numerics.lessons.divergence import (
    fisher_quadratic,
    law,
    moments,
    relative_entropy,
    softmax_divergence,
    softmax_fisher,
)
from tests.numerics.lessons.laws import random_law


def test_it_is_the_sum_of_scipys_terms() -> None:
    for q, p in ((random_law(1, 5), random_law(2, 5)), (law(0, 0.3, 0.7), law(0.2, 0.3, 0.5))):
        exact = rel_entr(q.numpy(), p.numpy()).sum()
        assert float(relative_entropy(q, p)) == pytest.approx(exact, abs=1e-12)
    assert float(relative_entropy(law(0.5, 0.5), law(1, 0))) == float("inf")


def test_its_gradient_is_finite_at_a_zero() -> None:
    q = law(0, 0.3, 0.7).requires_grad_()
    slope = torch.autograd.grad(relative_entropy(q, law(0.2, 0.3, 0.5)), q)[0]
    assert bool(torch.isfinite(slope).all()) and float(slope[0]) == 0


def test_the_fisher_information_is_the_hessian() -> None:
    theta = random_law(3, 4).log()
    at_zero = torch.zeros(4, dtype=torch.float64)
    hessian = torch.autograd.functional.hessian(lambda d: softmax_divergence(theta, d), at_zero)
    assert isinstance(hessian, torch.Tensor)
    assert torch.allclose(hessian, softmax_fisher(theta), atol=1e-12)
    step = 1e-3 * random_law(4, 4)
    error = float(softmax_divergence(theta, step) - fisher_quadratic(theta, step))
    assert abs(error) < 1e-3 * float(fisher_quadratic(theta, step))


@pytest.mark.parametrize("kind", ["k1", "k3"])
def test_moments_are_those_of_samples(kind: str) -> None:
    q, p, count = random_law(5, 4), random_law(6, 4), 100_000
    exact = moments(kind, q, p, q)
    assert exact.mean == pytest.approx(float(relative_entropy(q, p)), abs=1e-12)
    drawn = torch.multinomial(q, count, True, generator=torch.Generator().manual_seed(0))
    log_r = (p.log() - q.log())[drawn]
    values = -log_r if kind == "k1" else log_r.exp() - 1 - log_r
    assert float(values.mean()) == pytest.approx(
        exact.mean, abs=5 * (exact.variance / count) ** 0.5
    )
    assert float(values.var()) == pytest.approx(exact.variance, rel=0.05)
