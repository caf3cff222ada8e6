"""a_mean_of_positives_is_positive: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.a_mean_of_positives_is_positive import (
    a_mean_of_positives_is_positive,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """"""
SLIPS = [
    (
        "M = Sum(1 / g(a), a)",
        "M = Sum(g(a), a)",
        'bound = claim(1 / g(a) <= M, by(member), "1/g is at most M")',
    ),
    ("given=[p_nonneg, some_mass, g_positive]", "given=[p_nonneg, g_positive]", "@theorem("),
]


def test_it_is_proved_for_every_size():
    assert_proved(a_mean_of_positives_is_positive, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(a_mean_of_positives_is_positive, old, new, tmp_path).strip() == line
