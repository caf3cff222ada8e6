"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.relative_entropy_with_zeros_is_nonnegative import (
    relative_entropy_with_zeros_is_nonnegative,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "rel_entr(p(a), q(a)) - p(a) + q(a)",
        "rel_entr(q(a), p(a)) - p(a) + q(a)",
        'gaps = claim(gap(a) >= 0, by(log_bound(q(a) / p(a)), p_in_q, split=p(a)), "every '
        'gap is ≥ 0")',
    ),
    (
        "log_bound(q(a) / p(a))",
        "log_bound(p(a) / q(a))",
        'gaps = claim(gap(a) >= 0, by(log_bound(p(a) / q(a)), p_in_q, split=p(a)), "every '
        'gap is ≥ 0")',
    ),
    (
        "given=[p_nonneg, q_nonneg, p_in_q, equal_mass]",
        "given=[p_nonneg, q_nonneg, p_in_q]",
        "@theorem(",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(relative_entropy_with_zeros_is_nonnegative, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(relative_entropy_with_zeros_is_nonnegative, old, new, tmp_path).strip() == line
    )
