"""Theorem 12, infinite horizon.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.policy_gradient import policy_gradient
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_finite_sum derivative_of_linear
limit_by_squeezing limit_is_local limit_is_unique limit_keeps_order limit_of_constant
limit_of_finite_sum limit_of_identity limit_of_product limit_of_shift limit_of_sum
quotient_gives_derivative"""
SLIPS = [
    (
        "Q(V(theta0), s, a))",
        "-Q(V(theta0), s, a))",
        "by(with_advantage, policy_changes_sum_to_zero),",
    ),
    (
        "slope = lambda f: Sum(d(theta0)(s) * Sum(dpi(",
        "slope = lambda f: Sum(d(theta)(s) * Sum(dpi(",
        "by(",
    ),
    (
        "Sum(d(theta)(s) * Sum(pi(theta)(a, s) * advantage",
        "Sum(d(theta0)(s) * Sum(pi(theta)(a, s) * advantage",
        'by(performance_difference["visitation"].at(V=V(theta0), **new)),',
    ),
    ("advantage_has_mean_zero.at(**old_value), continuous", "continuous", "by("),
    ("by(with_advantage, policy_changes_sum_to_zero)", "by(with_advantage)", "by(with_advantage),"),
]


def test_it_is_proved_for_every_size():
    assert_proved(policy_gradient, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(policy_gradient, old, new, tmp_path).strip() == line
