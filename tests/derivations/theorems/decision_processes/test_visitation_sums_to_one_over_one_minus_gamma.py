"""Theorem 9: flow equation, sign and mass.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.visitation_sums_to_one_over_one_minus_gamma import (
    visitation_sums_to_one_over_one_minus_gamma,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_keeps_order limit_of_constant limit_of_finite_sum limit_of_product
limit_of_shift limit_of_sum"""
SLIPS = [
    (
        'p0(s2) + gamma * arrivals(d)),\n        "nonneg',
        'p0(s2) + arrivals(d)),\n        "nonneg',
        "@theorem(",
    ),
    ("1 / (1 - gamma)),\n    }", "1 / (1 + gamma)),\n    }", "@theorem("),
    (
        '("=", 1 + gamma * Sum(d(s), s), by(policy_.total,',
        '("=", 1 + gamma * Sum(d(s), s), by(',
        '("=", 1 + gamma * Sum(d(s), s), by( kernel.total, start_.total)),',
    ),
    (
        "x(s) * pi(a, s) * P(s2, s, a)",
        "x(s) * pi(a, s2) * P(s2, s, a)",
        "by(visits.first, visits.step, induct=T),",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(visitation_sums_to_one_over_one_minus_gamma, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(visitation_sums_to_one_over_one_minus_gamma, old, new, tmp_path).strip() == line
    )
