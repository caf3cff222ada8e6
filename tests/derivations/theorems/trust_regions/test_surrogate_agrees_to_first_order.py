"""Theorem 16, value and gradient.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.surrogate_agrees_to_first_order import (
    surrogate_agrees_to_first_order,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_finite_sum derivative_of_linear
derivative_of_product derivative_of_sum limit_by_squeezing limit_is_local
limit_is_unique limit_keeps_order limit_of_constant limit_of_finite_sum
limit_of_identity limit_of_product limit_of_shift limit_of_sum
quotient_gives_derivative"""
SLIPS = [
    ('"value": Equal(L(theta0), 0)', '"value": Equal(L(theta), 0)', "@theorem("),
    (
        '"gradient": Derivative(L(theta), theta, theta0, gradient)',
        '"gradient": Derivative(L(theta), theta, theta0, -gradient)',
        "@theorem(",
    ),
    (
        "L = lambda at: Sum(d(theta0)(s)",
        "L = lambda at: Sum(d(at)(s)",
        'Derivative(L(theta), theta, theta0, slope(advantage)), by(differentiable), "with A"',
    ),
    ("by(with_advantage, policy_changes_sum_to_zero)", "by(with_advantage)", "by(with_advantage),"),
]


def test_it_is_proved_for_every_size():
    assert_proved(surrogate_agrees_to_first_order, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(surrogate_agrees_to_first_order, old, new, tmp_path).strip() == line
