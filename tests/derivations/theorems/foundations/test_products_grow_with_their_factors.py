"""Products of non-negative factors.  A slip is refused at its line."""

import pytest

from derivations.theorems.foundations.products_grow_with_their_factors import (
    products_grow_with_their_factors,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    ("x * y <= X * Y}", "x * y >= X * Y}", "@theorem("),
    (
        "X * Y, by(y_below)",
        "X * Y, by(x_below)",
        'claim(calc(x * y, ("<=", X * y, by(x_below)), ("<=", X * Y, by(x_below))))',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(products_grow_with_their_factors, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(products_grow_with_their_factors, old, new, tmp_path).strip() == line
