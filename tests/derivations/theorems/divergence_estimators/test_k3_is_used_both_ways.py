"""k3_is_used_both_ways: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.divergence_estimators.k3_is_used_both_ways import k3_is_used_both_ways
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_of_logarithm exponential_of_sum logarithm_of_exponential"""
SLIPS = [
    (
        '"reference": Equal(mean(ref, pi), KL(pi, ref, a))',
        '"reference": Equal(mean(ref, pi), KL(ref, pi, a))',
        "@theorem(",
    ),
    (
        "unbiased.at(p=pi, q=old)",
        "unbiased.at(p=old, q=pi)",
        "claim(Equal(mean(pi, old), KL(old, pi, a)), by(unbiased.at(p=old, q=pi), *same_support))",
    ),
    (
        "*same_support, *same_as_reference],",
        "*same_as_reference],",
        "claim(Equal(mean(pi, old), KL(old, pi, a)), by(unbiased.at(p=pi, q=old), *same_support))",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(k3_is_used_both_ways, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(k3_is_used_both_ways, old, new, tmp_path).strip() == line
