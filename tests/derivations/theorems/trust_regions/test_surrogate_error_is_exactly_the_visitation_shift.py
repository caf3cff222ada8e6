"""Theorem 17.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.surrogate_error_is_exactly_the_visitation_shift import (
    surrogate_error_is_exactly_the_visitation_shift,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_keeps_order limit_of_constant limit_of_finite_sum limit_of_product
limit_of_shift limit_of_sum"""
SLIPS = [
    (
        "(d2(s) - d(s)) * advantage(s)",
        "(d2(s) + d(s)) * advantage(s)",
        'claim(error, by(performance_difference["visitation"]))',
    ),
    (
        "advantage = lambda s: Sum(pi2(",
        "advantage = lambda s: Sum(pi(",
        'claim(error, by(performance_difference["visitation"]))',
    ),
    (
        "expected_return(V2) - expected_return(V)",
        "expected_return(V2)",
        'claim(error, by(performance_difference["visitation"]))',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(surrogate_error_is_exactly_the_visitation_shift, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(surrogate_error_is_exactly_the_visitation_shift, old, new, tmp_path).strip()
        == line
    )
