"""Theorem 18, for every bound and for the maximum.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.visitation_shift_is_bounded_by_total_variation import (
    visitation_shift_is_bounded_by_total_variation,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """finite_maximum_is_attained limit_keeps_order limit_of_constant limit_of_finite_sum
limit_of_product limit_of_shift limit_of_sum"""
SLIPS = [
    (
        '"average": AtMost(total_shift, 2 * gamma',
        '"average": AtMost(total_shift, gamma',
        "@theorem(",
    ),
    (
        '("=", gamma * Sum(moved',
        '("=", Sum(moved',
        '("=", Sum(moved(s, a), a, s), by(kernel.total)),',
    ),
    ("by(mean)", "by()", '("<=", 2 * gamma / (1 - gamma) * (eps * Sum(d(s), s)), by()),'),
    (
        "d(s) * change(s), s), by(new.total)",
        "d(s) * change(s), s), by(old.total)",
        '("=", gamma * total_shift + gamma * Sum(d(s) * change(s), s), by(old.total)),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(visitation_shift_is_bounded_by_total_variation, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(visitation_shift_is_bounded_by_total_variation, old, new, tmp_path).strip()
        == line
    )
