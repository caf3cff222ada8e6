"""logarithm_bound_is_strict: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.logarithm_bound_is_strict import logarithm_bound_is_strict
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "Equal(log(x), x - 1), Equal(x, 1)",
        "Equal(log(x), x - 2), Equal(x, 1)",
        '@theorem(says=lambda: {"only_at_one": ForAll(x, Implies(x > 0, Equal(log(x), x - '
        "2), Equal(x, 1)))})",
    ),
    (
        "(y - 1) ** 2 <= 0",
        "(y - 1) ** 2 <= -1",
        'near = claim((y - 1) ** 2 <= -1, by(log_bound(y), square), "the bound at y leaves '
        'no room")',
    ),
    ("by(zero_square(y - 1), near)", "by(near)", 'one = claim(Equal(y, 1), by(near), "y is one")'),
]


def test_it_is_proved_for_every_size():
    assert_proved(logarithm_bound_is_strict, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(logarithm_bound_is_strict, old, new, tmp_path).strip() == line
