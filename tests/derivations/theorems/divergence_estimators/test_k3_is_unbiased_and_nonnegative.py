"""k3_is_unbiased_and_nonnegative: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.divergence_estimators.k3_is_unbiased_and_nonnegative import (
    k3_is_unbiased_and_nonnegative,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "k3 = lambda r: r - 1 - log(r)",
        "k3 = lambda r: 1 - r - log(r)",
        '("=", Sum(p(a) * nonzero(q(a)), a) - 1 + mean(k1), by(q_.total)),',
    ),
    ('"k1": Equal(mean(k1), KL(q, p, a))', '"k1": Equal(mean(k1), KL(p, q, a))', "@theorem("),
    ("KL(q, p, a) - mass_where_zero(p, q, a)),", "KL(q, p, a)),", "@theorem("),
    (
        "Implies(p_in_q.formula, Equal(mean(k3), KL(q, p, a)))",
        "Implies(q_in_p.formula, Equal(mean(k3), KL(q, p, a)))",
        "@theorem(",
    ),
    ("ratio = lambda a: p(a) / q(a)", "ratio = lambda a: q(a) / p(a)", "by(q_in_p, split=q(a)),"),
]


def test_it_is_proved_for_every_size():
    assert_proved(k3_is_unbiased_and_nonnegative, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(k3_is_unbiased_and_nonnegative, old, new, tmp_path).strip() == line
