"""No mass appears.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.policy_changes_sum_to_zero import (
    policy_changes_sum_to_zero,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_finite_sum derivative_of_linear
limit_is_unique"""
SLIPS = [
    ("Equal(Sum(dpi(a, s), a), 0)", "Equal(Sum(dpi(a, s), a), 1)", "@theorem("),
    (
        "by(differentiable, *certain,",
        "by(differentiable,",
        "by(differentiable, via=(theta, Sum(pi(theta)(a, s), a))),",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(policy_changes_sum_to_zero, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(policy_changes_sum_to_zero, old, new, tmp_path).strip() == line
