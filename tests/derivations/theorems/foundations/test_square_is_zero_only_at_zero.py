"""square_is_zero_only_at_zero: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.square_is_zero_only_at_zero import square_is_zero_only_at_zero
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """"""
SLIPS = [
    (
        "AtMost(x**2, 0), Equal(x, 0)",
        "AtMost(x**2, 1), Equal(x, 0)",
        '@theorem(says=lambda: {"zero": ForAll(x, Implies(AtMost(x**2, 1), Equal(x, 0)))})',
    ),
    ("half(x), half(-x), small", "half(x), small", "zero = claim(Equal(x, 0), by(half(x), small))"),
]


def test_it_is_proved_for_every_size():
    assert_proved(square_is_zero_only_at_zero, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(square_is_zero_only_at_zero, old, new, tmp_path).strip() == line
