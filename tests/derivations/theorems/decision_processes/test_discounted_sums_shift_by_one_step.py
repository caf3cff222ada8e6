"""First term and rest.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.discounted_sums_shift_by_one_step import (
    discounted_sums_shift_by_one_step,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ("c(0, x) + gamma * following(until(T)))}", "c(0, x) + following(until(T)))}", "@theorem("),
    (
        "by(backward, induct=T)",
        "by(induct=T)",
        "claim(Equal(until(T + 1)(x), c(0, x) + gamma * following(until(T))), by(induct=T))",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(discounted_sums_shift_by_one_step, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(discounted_sums_shift_by_one_step, old, new, tmp_path).strip() == line
