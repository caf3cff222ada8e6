"""Theorem 18, the sharp bound.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.visitation_shift_has_a_sharp_bound import (
    visitation_shift_has_a_sharp_bound,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """finite_maximum_is_attained limit_keeps_order limit_of_constant limit_of_finite_sum
limit_of_product limit_of_shift limit_of_sum"""
SLIPS = [
    ("bound = 2 * gamma * alpha", "bound = gamma * alpha", '("=", bound, by()),'),
    (
        "by(old.total, new.total)",
        "by(old.total)",
        "agreement = claim(Equal(Sum(action(a, s), a), 1 - TV(s)), by(old.total))",
    ),
    ("(1 - gamma + gamma * alpha))\n", "(1 + gamma * alpha))\n", '("=", bound, by()),'),
]


def test_it_is_proved_for_every_size():
    assert_proved(visitation_shift_has_a_sharp_bound, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(visitation_shift_has_a_sharp_bound, old, new, tmp_path).strip() == line
