"""score_has_mean_zero: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.score_has_mean_zero import score_has_mean_zero
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_composition derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm limit_is_local limit_is_unique
quotient_gives_derivative"""
SLIPS = [
    ("Sum(p(theta, a) * score(theta, a), a), 0)),", "Sum(score(theta, a), a), 0)),", "@theorem("),
    (
        "by(family.total, here, via=(v, 1))",
        "by(family.total, here, via=(v, 2))",
        "Derivative(Sum(p(v, a), a), v, theta, 0), by(family.total, here, via=(v, 2))",
    ),
    (
        "dp(theta, a) / p(theta, a)",
        "dp(theta, a) / p(theta0, a)",
        "Derivative(log(p(v, a)), v, theta, score(theta, a)), by(family.slope, positive, here)",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(score_has_mean_zero, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(score_has_mean_zero, old, new, tmp_path).strip() == line
