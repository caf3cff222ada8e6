"""Theorem 10, finite and in the limit.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.discounted_values_telescope import (
    discounted_values_telescope,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_by_squeezing limit_of_constant limit_of_product limit_of_reciprocal_count"""
SLIPS = [
    (
        'gamma**T * V(T) - V(0)),\n        "limit',
        'gamma**T * V(T) + V(0)),\n        "limit',
        "@theorem(",
    ),
    (
        "gamma * V(t + 1) - V(t)",
        "V(t + 1) - V(t)",
        'finite = claim(Equal(changes, gamma**T * V(T) - V(0)), by(induct=T), "finite sum")',
    ),
    ("INFINITY, -V(0)),\n    }", "INFINITY, V(0)),\n    }", "@theorem("),
    (
        "by(finite, bounded, vanish",
        "by(finite, vanish",
        'by(finite, vanish["powers"], squeeze=(T, B * gamma**T)),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(discounted_values_telescope, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(discounted_values_telescope, old, new, tmp_path).strip() == line
