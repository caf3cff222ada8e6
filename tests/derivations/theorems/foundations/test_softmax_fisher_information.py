"""softmax_fisher_information: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.softmax_fisher_information import softmax_fisher_information
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_exponential derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm derivative_of_product
derivative_of_reciprocal derivative_of_sum exponential_is_positive
exponential_of_sum"""
SLIPS = [
    (
        "delta(a, b) - p(a)\n",
        "delta(a, b) - p(b)\n",
        'claim(Derivative(log(softmax(moved)(b)), t, 0, score(a, b)), by(policy), "score")',
    ),
    (
        "delta(a, c) * p(a) - p(a) * p(c)",
        "delta(a, c) * p(a) + p(a) * p(c)",
        'claim(Equal(Sum(p(b) * score(a, b) * score(c, b), b), fisher(a, c)), by(total), "Fisher")',
    ),
    (
        "by(null, divide=p(a))",
        "by(null)",
        'centred = claim(Equal(D(a), mean), by(null), "Δ is its mean")',
    ),
    (
        'Equal(D(a), D(b))),\n        "constants"',
        'Equal(D(a), 0)),\n        "constants"',
        "@theorem(",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(softmax_fisher_information, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(softmax_fisher_information, old, new, tmp_path).strip() == line
