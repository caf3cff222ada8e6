"""Theorem 14.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.importance_weights_correct_the_actions import (
    importance_weights_correct_the_actions,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    (
        "rho = pi2(a, s) / pi(a, s)",
        "rho = pi(a, s) / pi2(a, s)",
        "by(no_new_action, split=pi(a, s)),",
    ),
    ("by(no_new_action, split", "by(split", "by(split=pi(a, s)),"),
    ("(w2(s) - w(s)) * wanted", "(w2(s) + w(s)) * wanted", "@theorem("),
]


def test_it_is_proved_for_every_size():
    assert_proved(importance_weights_correct_the_actions, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(importance_weights_correct_the_actions, old, new, tmp_path).strip() == line
