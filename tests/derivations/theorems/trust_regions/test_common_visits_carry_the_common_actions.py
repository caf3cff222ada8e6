"""Lemma of the sharp bound.  A slip is refused at its line."""

import pytest

from derivations.theorems.trust_regions.common_visits_carry_the_common_actions import (
    common_visits_carry_the_common_actions,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ('"mass": 1 / (1 - gamma + gamma * alpha)', '"mass": 1 / (1 - gamma)', "@theorem("),
    (
        "by(kernel.total, start_.total)",
        "by(kernel.total)",
        '("=", Sum(carried(b, k), s2), by(kernel.total)),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(common_visits_carry_the_common_actions, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(common_visits_carry_the_common_actions, old, new, tmp_path).strip() == line
