"""zero_sum_has_zero_terms: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """"""
SLIPS = [
    ("AtMost(f(b), Sum(f(a), a))", "AtMost(2 * f(b), Sum(f(a), a))", "@theorem("),
    (
        "(1 - delta(a, b)) * f(a)",
        "(1 - 2 * delta(a, b)) * f(a)",
        "others = claim((1 - 2 * delta(a, b)) * f(a) >= 0, by(f_nonneg, letters=(a, b)), "
        '"other terms")',
    ),
    (
        'f(a) >= 0, "f',
        'f(a) <= 1, "f',
        'others = claim((1 - delta(a, b)) * f(a) >= 0, by(f_nonneg, letters=(a, b)), "other '
        'terms")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(zero_sum_has_zero_terms, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(zero_sum_has_zero_terms, old, new, tmp_path).strip() == line
