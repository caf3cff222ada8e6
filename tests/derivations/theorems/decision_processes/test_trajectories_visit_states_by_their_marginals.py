"""Words over pairs against state marginals.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.trajectories_visit_states_by_their_marginals import (
    trajectories_visit_states_by_their_marginals,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    (
        "Sum(gamma**t * Sum(mu(t, s) *",
        "Sum(Sum(mu(t, s) *",
        "by(law.empty, law.append, collected, next_state, certain, policy_.total, induct=T),",
    ),
    ("gamma**T * mu(T, s)\n        ),", "gamma**T * mu(T + 1, s)\n        ),", "@theorem("),
    (
        "certain, policy_.total, induct=T",
        "policy_.total, induct=T",
        "by(law.empty, law.append, collected, next_state, policy_.total, induct=T),",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(trajectories_visit_states_by_their_marginals, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(trajectories_visit_states_by_their_marginals, old, new, tmp_path).strip() == line
    )
