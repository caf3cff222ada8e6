"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.relative_entropy_to_uniform_is_missing_entropy import (
    relative_entropy_to_uniform_is_missing_entropy,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_of_logarithm exponential_of_sum logarithm_of_exponential"""
SLIPS = [
    ('log(size("A")) - entropy(pi, a))},', 'log(size("A")) + entropy(pi, a))},', "@theorem("),
    (
        'pi(a) * log(pi(a)) + pi(a) * log(size("A"))',
        'pi(a) * log(pi(a)) - pi(a) * log(size("A"))',
        "by(split=pi(a)),",
    ),
    (
        "by(term, policy.total)",
        "by(term)",
        'claim(Equal(KL(pi, uniform, a), log(size("A")) - entropy(pi, a)), by(term))',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(relative_entropy_to_uniform_is_missing_entropy, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(relative_entropy_to_uniform_is_missing_entropy, old, new, tmp_path).strip()
        == line
    )
