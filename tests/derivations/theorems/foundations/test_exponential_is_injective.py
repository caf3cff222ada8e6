"""exponential_is_injective: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.exponential_is_injective import exponential_is_injective
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    (
        "Equal(exp(x), exp(y)), Equal(x, y)",
        "Equal(exp(x), exp(-y)), Equal(x, y)",
        '@theorem(says=lambda: {"injective": ForAll([x, y], Implies(Equal(exp(x), exp(-y)), '
        "Equal(x, y)))})",
    ),
    (
        "log_bound(exp(x - y))",
        "log_bound(exp(y - x))",
        "below = claim(x <= y, by(log_bound(exp(y - x)), equal, divide=exp(y)))",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(exponential_is_injective, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(exponential_is_injective, old, new, tmp_path).strip() == line
