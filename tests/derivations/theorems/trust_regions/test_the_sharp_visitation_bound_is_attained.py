"""Theorem 18, a model that attains the sharp bound.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.the_sharp_visitation_bound_is_attained import (
    the_sharp_visitation_bound_is_attained,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_keeps_order limit_of_constant limit_of_finite_sum limit_of_product
limit_of_shift limit_of_sum"""
SLIPS = [
    ("s), 2 * lost),\n", "s), lost),\n", "@theorem("),
    (
        "by(move, stay, actions)",
        "by(move, stay)",
        'Equal(Sum(pi(a, s) * P(s2, s, a), a), delta(s2, s)), by(move, stay), "old step"',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(the_sharp_visitation_bound_is_attained, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(the_sharp_visitation_bound_is_attained, old, new, tmp_path).strip() == line
