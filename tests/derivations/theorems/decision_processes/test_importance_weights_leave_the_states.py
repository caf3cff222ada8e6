"""The model of theorem 14 where the states are not corrected.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.importance_weights_leave_the_states import (
    importance_weights_leave_the_states,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ('Equal(2 * mean(mu), 1),\n        "new', 'Equal(mean(mu), 1),\n        "new', "@theorem("),
    (
        "by(law, begin, move, even, actions)",
        "by(law, begin, move, even)",
        "Equal(2 * mu(1, s), delta(s, y0) + delta(s, y1)), by(law, begin, move, even)",
    ),
    (
        "by(old, always, states)",
        "by(old, always)",
        'claim(Equal(2 * mean(mu), 1), by(old, always), "states of the old policy")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(importance_weights_leave_the_states, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(importance_weights_leave_the_states, old, new, tmp_path).strip() == line
