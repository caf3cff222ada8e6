"""The limits exist.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.values_and_visitations_exist import (
    values_and_visitations_exist,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """dominated_series_converges finite_maximum_is_attained limit_by_squeezing
limit_is_local limit_of_constant limit_of_product limit_of_reciprocal_count
limit_of_sum"""
SLIPS = [
    (
        "by(from_each, policy_.total, kernel.total, induct=t)",
        "by(from_each, policy_.total, induct=t)",
        "by(from_each, policy_.total, induct=t),",
    ),
    (
        '("=", largest, by(policy_.total, mass))',
        '("=", 2 * largest, by(policy_.total, mass))',
        '("=", 2 * largest, by(policy_.total, mass)),',
    ),
    (
        "absolute(mu(t, s)) <= 1",
        "2 * absolute(mu(t, s)) <= 1",
        'by(zero_sum_has_zero_terms["bound"].at(A="S", f=lambda s: mu(t, s)), total),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(values_and_visitations_exist, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(values_and_visitations_exist, old, new, tmp_path).strip() == line
