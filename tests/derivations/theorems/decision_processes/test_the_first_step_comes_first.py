"""Chapman and Kolmogorov.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.the_first_step_comes_first import (
    the_first_step_comes_first,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ("by(from_each, induct=t)", "by(from_each.step, induct=t)", "by(from_each.step, induct=t),"),
    ("p0(x) * m(t, x, s), x)),\n    },", "p0(s) * m(t, x, s), x)),\n    },", "@theorem("),
]


def test_it_is_proved_for_every_size():
    assert_proved(the_first_step_comes_first, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(the_first_step_comes_first, old, new, tmp_path).strip() == line
