"""Comparison with the geometric series.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.discounted_sums_of_bounded_terms_converge import (
    discounted_sums_of_bounded_terms_converge,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """dominated_series_converges limit_by_squeezing limit_is_local limit_of_constant
limit_of_product limit_of_reciprocal_count limit_of_sum"""
SLIPS = [
    (
        "dominated=(t, B * gamma**t)",
        "dominated=(t, gamma**t)",
        'claim(converges(), by(geometric["series"], bounded, dominated=(t, gamma**t)))',
    ),
    (
        'by(geometric["series"], bounded,',
        'by(geometric["series"],',
        'claim(converges(), by(geometric["series"], dominated=(t, B * gamma**t)))',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(discounted_sums_of_bounded_terms_converge, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(discounted_sums_of_bounded_terms_converge, old, new, tmp_path).strip() == line
