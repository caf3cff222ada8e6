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
        '"cancels": Equal(r(y, x) - r(y2, x), margin(star))',
        '"cancels": Equal(r(y, x), margin(star))',
        "@theorem(",
    ),
    (
        "push = beta * sigmoid(-margin(start))",
        "push = beta * sigmoid(margin(start))",
        'Derivative(log(sigmoid(margin(learned))), theta, theta0, push), by(slope), "one pair"',
    ),
    ("theta0, -Sum(data(", "theta0, Sum(data(", "claim(gradient, by(pair))"),
    (
        '"optimal": objective(pi) <= objective(star)',
        '"optimal": objective(star) <= objective(pi)',
        "@theorem(",
    ),
    (
        "reward(star)(y, x) + beta * log(Z(x))), by()",
        "reward(star)(y, x) - beta * log(Z(x))), by()",
        'inverted = claim(Equal(r(y, x), reward(star)(y, x) - beta * log(Z(x))), by(), "the '
        'reward")',
    ),
    (
        'by(shift_class["shifts_keep_the_optimum"])',
        'by(shift_class["only_shifts_keep_it"])',
        'claim(shifts_keep_it, by(shift_class["only_shifts_keep_it"]))',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(partition_function_cancels_in_preferences, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(partition_function_cancels_in_preferences, old, new, tmp_path).strip() == line
