"""The Bellman equation from the series.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.value_solves_the_bellman_equation import (
    value_solves_the_bellman_equation,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_keeps_order limit_of_constant limit_of_finite_sum limit_of_product
limit_of_shift limit_of_sum"""
SLIPS = [
    (
        '"bellman": Equal(V(s), Sum(pi(a, s) * Q(',
        '"bellman": Equal(V(s), gamma * Sum(pi(a, s) * Q(',
        "@theorem(",
    ),
    ("reward(0, x) + gamma * Sum(", "reward(0, x) + Sum(", "by(discounted_sum.at(c=reward)),"),
    (
        "P(y, x, a) * reward(T, y)",
        "P(x, y, a) * reward(T, y)",
        'by(first_comes_first["first_step"]),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(value_solves_the_bellman_equation, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(value_solves_the_bellman_equation, old, new, tmp_path).strip() == line
