"""Two opposite point masses.  A slip is refused at its line."""

import pytest

from derivations.theorems.foundations.opposite_point_masses_have_size_two import (
    opposite_point_masses_have_size_two,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = ""
SLIPS = [
    (
        "Equal(size, 2 * c)}",
        "Equal(size, c)}",
        '@theorem(says=lambda: {"size": Equal(size, c)}, given=[dipole, c_nonneg, apart])',
    ),
    (
        "by(one, apart, letters=(i, k))",
        "by(one, letters=(i, k))",
        'claim(1 - delta(i, j) - delta(i, k) >= 0, by(one, letters=(i, k)), "so is their sum")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(opposite_point_masses_have_size_two, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(opposite_point_masses_have_size_two, old, new, tmp_path).strip() == line
