"""relative_entropy_is_nonnegative: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.relative_entropy_is_nonnegative import (
    relative_entropy_is_nonnegative,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    ('"nonnegative": KL(p, q, a) >= 0', '"nonnegative": KL(q, p, a) >= 0', "@theorem("),
    (
        "given=[p_nonneg, q_pos, equal_mass]",
        "given=[p_nonneg, q_pos]",
        'claim(KL(p, q, a) >= 0, by(gibbs["nonnegative"]))',
    ),
    (
        "Implies(Equal(KL(p, q, a), 0), Equal(p(a), q(a)))",
        "Implies(Equal(KL(p, q, a), 0), Equal(p(a), 2 * q(a)))",
        "@theorem(",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(relative_entropy_is_nonnegative, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(relative_entropy_is_nonnegative, old, new, tmp_path).strip() == line
