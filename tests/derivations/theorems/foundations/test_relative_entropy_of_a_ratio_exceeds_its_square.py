"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.relative_entropy_of_a_ratio_exceeds_its_square import (
    relative_entropy_of_a_ratio_exceeds_its_square,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_linear derivative_of_logarithm
derivative_of_product derivative_of_sum exponential_of_logarithm exponential_of_sum
logarithm_bound logarithm_of_exponential nonnegative_derivative_is_monotone"""
SLIPS = [
    (
        "bound = 3 * (x - 1) ** 2",
        "bound = 4 * (x - 1) ** 2",
        'right = claim(bound, by(rising, after, monotone_on=(v, g(v), 1, x)), "after 1")',
    ),
    (
        "h = lambda x: (x + 1) * log(x) - 2 * (x - 1)",
        "h = lambda x: (x + 1) * log(x) - 3 * (x - 1)",
        'rising = claim(h(x) >= 0, by(below, after, monotone_on=(v, h(v), 1, x)), "h ≥ 0 after 1")',
    ),
    (
        "by(falling, before, monotone_on=(v, -g(v), x, 1))",
        "by(falling, before, monotone_on=(v, g(v), x, 1))",
        'left = claim(bound, by(falling, before, monotone_on=(v, g(v), x, 1)), "before 1")',
    ),
    (
        "by(left, right, positive, order=(x, 1))",
        "by(left, positive, order=(x, 1))",
        'inside = claim(bound, by(left, positive, order=(x, 1)), "for positive x")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(relative_entropy_of_a_ratio_exceeds_its_square, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(relative_entropy_of_a_ratio_exceeds_its_square, old, new, tmp_path).strip()
        == line
    )
