"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.rewards_with_one_optimum_differ_by_a_prompt_shift import (
    rewards_with_one_optimum_differ_by_a_prompt_shift,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "exp(c(x) / beta) * Z(x)",
        "exp(c(x)) * Z(x)",
        'scaled = claim(Equal(Z2(x), exp(c(x)) * Z(x)), by(Z2_, Z_, moved), "Z2")',
    ),
    (
        "beta * (log(Z2(x)) - log(Z(x)))",
        "beta * (log(Z(x)) - log(Z2(x)))",
        "apart = claim(shift, by(exponential_is_injective(left, right), powers))",
    ),
    (
        "r(y, x) + c(x)))\n",
        "r(y, x) + 2 * r2(y, x)))\n",
        'scaled = claim(Equal(Z2(x), exp(c(x) / beta) * Z(x)), by(Z2_, Z_, moved), "Z2")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(rewards_with_one_optimum_differ_by_a_prompt_shift, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(rewards_with_one_optimum_differ_by_a_prompt_shift, old, new, tmp_path).strip()
        == line
    )
