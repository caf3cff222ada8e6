"""log_sum_inequality: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.log_sum_inequality import log_sum_inequality
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_of_logarithm exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    (
        '"bound": rel_entr(A, B) <= whole',
        '"bound": rel_entr(B, A) <= whole',
        "@theorem(",
    ),
    (
        "x - y * u / v <= rel_entr(x, y)",
        "x - u / v <= rel_entr(x, y)",
        "by(log_bound(y * u / (x * v)), split=x),",
    ),
    ("by(each, divide=B)", "by(divide=B)", "bound = claim(rel_entr(A, B) <= whole, by(divide=B))"),
]


def test_it_is_proved_for_every_size():
    assert_proved(log_sum_inequality, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(log_sum_inequality, old, new, tmp_path).strip() == line
