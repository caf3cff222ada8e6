"""Theorem 12, finite horizon.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.policy_gradient_of_a_finite_horizon import (
    policy_gradient_of_a_finite_horizon,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_finite_sum derivative_of_linear
derivative_of_product derivative_of_sum limit_is_local quotient_gives_derivative"""
SLIPS = [
    (
        "gamma**t * Sum(law(t, s)",
        "Sum(law(t, s)",
        '("=", summand(0) + next_push, by(first_term.at(f=summand), to_go.later)),',
    ),
    (
        "push(left(n, t), s), s), (t, steps_before(n))",
        "push(n, s), s), (t, steps_before(n))",
        '("=", summand(0) + next_push, by(first_term.at(f=summand), to_go.later)),',
    ),
    (
        'laws["mixture"].at(pi=pi(theta0))',
        'laws["first_step"].at(pi=pi(theta0))',
        'by(each_state, laws["first_step"].at(pi=pi(theta0))),',
    ),
    (
        "by(from_each.first, to_go.first)",
        "by(from_each.first)",
        '("=", push(T + 1, x) + next_push, by(from_each.first)),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(policy_gradient_of_a_finite_horizon, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(policy_gradient_of_a_finite_horizon, old, new, tmp_path).strip() == line
