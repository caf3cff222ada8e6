"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.softmax_relative_entropy_is_locally_a_variance import (
    softmax_relative_entropy_is_locally_a_variance,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_composition derivative_of_exponential
derivative_of_finite_sum derivative_of_linear derivative_of_logarithm
derivative_of_product derivative_of_reciprocal derivative_of_sum
exponential_is_positive exponential_of_logarithm exponential_of_sum limit_is_local
limit_is_unique limit_of_constant limit_of_sum logarithm_of_exponential
quotient_gives_derivative taylor_with_peano_remainder"""
SLIPS = [
    (
        "p(t, b) * (D(b) - mean(t))",
        "p(t, b) * (D(b) + mean(t))",
        'rate = claim(Derivative(softmax(v, b), v, t, dp(t, b)), by(policy), "slope of the '
        'softmax")',
    ),
    (
        '"forward": Limit(KL(start, there, b) / t**2, t, 0, form / 2)',
        '"forward": Limit(KL(start, there, b) / t**2, t, 0, form)',
        "@theorem(",
    ),
    ("delta(a, c) * p(0, a) - p(0, a) * p(0, c)", "delta(a, c) * p(0, a) - p(0, a)", "by(total),"),
]


def test_it_is_proved_for_every_size():
    assert_proved(softmax_relative_entropy_is_locally_a_variance, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(softmax_relative_entropy_is_locally_a_variance, old, new, tmp_path).strip()
        == line
    )
