"""First term and rest of a sum.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.sums_over_steps_split_at_the_first import (
    sums_over_steps_split_at_the_first,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ("f(0) + Sum(f(t + 1)", "f(1) + Sum(f(t + 1)", "claim(split, by(induct=T))"),
]


def test_it_is_proved_for_every_size():
    assert_proved(sums_over_steps_split_at_the_first, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(sums_over_steps_split_at_the_first, old, new, tmp_path).strip() == line
