"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.relative_entropy_is_locally_the_fisher_quadratic import (
    relative_entropy_is_locally_the_fisher_quadratic,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_composition derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm derivative_of_product
derivative_of_reciprocal exponential_of_logarithm exponential_of_sum limit_is_local
limit_is_unique limit_of_constant limit_of_sum logarithm_of_exponential
quotient_gives_derivative taylor_with_peano_remainder"""
SLIPS = [
    (
        '"forward_limit": Limit(ratio(forward), theta, theta0, F / 2)',
        '"forward_limit": Limit(ratio(forward), theta, theta0, F)',
        "@theorem(",
    ),
    (
        "-Sum(p(theta0, a) * dp(theta, a) / p(theta, a), a)",
        "-Sum(dp(theta, a), a)",
        "Derivative(forward(v), v, theta, forward_slope(theta)), by(family.slope, here)",
    ),
    (
        "F = Sum(p(theta0, a) * (",
        "F = Sum((",
        "Derivative(forward_slope(v), v, theta0, F), by(family.slope, second, no_bend, "
        "family.delta)",
    ),
    (
        "by(family.slope, second, no_bend, family.delta)",
        "by(family.slope, second, family.delta)",
        "Derivative(forward_slope(v), v, theta0, F), by(family.slope, second, family.delta)",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(relative_entropy_is_locally_the_fisher_quadratic, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(relative_entropy_is_locally_the_fisher_quadratic, old, new, tmp_path).strip()
        == line
    )
