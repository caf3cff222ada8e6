"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.partition_function_cancels_in_preferences import (
    partition_function_cancels_in_preferences,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_exponential derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm derivative_of_product
derivative_of_reciprocal derivative_of_sum exponential_is_positive
exponential_of_logarithm exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    (
        '"cancels": Equal(r(y, x) - r(y2, x), margin(star, ref))',
        '"cancels": Equal(r(y, x), margin(star, ref))',
        "@theorem(",
    ),
    ("push = sigmoid(-margin(start, ref))", "push = sigmoid(margin(start, ref))", "by(slope),"),
    ("theta, theta0, -beta * Sum(", "theta, theta0, beta * Sum(", "claim(gradient, by(pair))"),
    ('log(2)),\n        ),\n        "shifts', 'log(3)),\n        ),\n        "shifts', "@theorem("),
    (
        '"optimal": objective(pi) <= objective(star)',
        '"optimal": objective(star) <= objective(pi)',
        "@theorem(",
    ),
    (
        "Equal(Z2(x), exp(c(x) / beta) * Z(x))",
        "Equal(Z2(x), exp(c(x)) * Z(x))",
        'scaled = claim(Equal(Z2(x), exp(c(x)) * Z(x)), by(Z2_, Z_, shift), "Z2")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(partition_function_cancels_in_preferences, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(partition_function_cancels_in_preferences, old, new, tmp_path).strip() == line
