"""Theorem 8.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.advantage_has_mean_zero import advantage_has_mean_zero
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_keeps_order limit_of_constant limit_of_finite_sum limit_of_product
limit_of_shift limit_of_sum"""
SLIPS = [
    (
        "Equal(Sum(pi(a, s) * Adv(V, s, a), a), 0)",
        "Equal(Sum(pi(a, s) * Adv(V, s, a), a), V(s))",
        "@theorem(",
    ),
    (
        "- V(s), by(policy_.total)",
        "- V(s), by()",
        '("=", Sum(pi(a, s) * Q(V, s, a), a) - V(s), by()),',
    ),
    ('("=", 0, by(bellman["bellman"]))', '("=", 0, by())', '("=", 0, by()),'),
]


def test_it_is_proved_for_every_size():
    assert_proved(advantage_has_mean_zero, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(advantage_has_mean_zero, old, new, tmp_path).strip() == line
