"""Theorem 11: both equalities and the remainder.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.performance_difference import performance_difference
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_is_local limit_keeps_order limit_of_constant limit_of_finite_sum
limit_of_product limit_of_shift limit_of_sum"""
SLIPS = [
    (
        "V2) - expected_return(V)\n",
        "V) - expected_return(V2)\n",
        '("=", over(d2, gain) - over(d2, gain_of_a_step), by(flow)),',
    ),
    ("Equal(difference, over(d2, advantage))", "Equal(difference, over(d2, rewards))", "@theorem("),
    (
        "promised = gamma**T * ",
        "promised = ",
        'by(by_states, visits["partial_sums"].at(mu=mu2, pi=pi2), new.total),',
    ),
    (
        "Sum(mu2(T, s) * V(s), s)",
        "Sum(mu2(T, s) * V2(s), s)",
        'by(by_states, visits["partial_sums"].at(mu=mu2, pi=pi2), new.total),',
    ),
    (
        "advantage), by(new.total)",
        "advantage), by(old.total)",
        '("=", over(d2, advantage), by(old.total)),',
    ),
    (
        "gain = lambda s: V2(s) - V(s)",
        "gain = lambda s: V2(s) + V(s)",
        '("=", over(d2, gain) - over(d2, gain_of_a_step), by(flow)),',
    ),
    (
        "d=d2, mu=mu2, pi=pi2)",
        "d=d2, mu=mu2, pi=pi)",
        '("=", over(d2, gain) - over(d2, gain_of_a_step), by(flow)),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(performance_difference, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(performance_difference, old, new, tmp_path).strip() == line
