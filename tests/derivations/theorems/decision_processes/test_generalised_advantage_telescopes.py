"""Theorem 15.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.generalised_advantage_telescopes import (
    generalised_advantage_telescopes,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ("r(t) + gamma * V(t + 1) - V(t)", "r(t) + V(t + 1) - V(t)", "by(step),"),
    ("(1 - lam) * V(t + 1) + lam", "(1 + lam) * V(t + 1) + lam", "@theorem("),
    ("by(step, zero)", "by(step)", "residual = claim(Equal(adv(n + 1, t), td(t)), by(step))"),
    ("gamma**n * V(t + n) - V(t)", "V(t + n) - V(t)", "@theorem("),
]


def test_it_is_proved_for_every_size():
    assert_proved(generalised_advantage_telescopes, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(generalised_advantage_telescopes, old, new, tmp_path).strip() == line
