"""bradley_terry_ignores_prompt_shifts: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.bradley_terry_ignores_prompt_shifts import (
    bradley_terry_ignores_prompt_shifts,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_exponential derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm derivative_of_product
derivative_of_reciprocal derivative_of_sum exponential_is_positive
exponential_of_logarithm exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    (
        "r(y, x) + c(x)",
        "r(y, x) * c(x)",
        'shift = claim(Equal(wins_shifted, wins), by(), "a shift cancels")',
    ),
    (
        '"logistic": Equal(wins, sigmoid(r(y, x) - r(y2, x)))',
        '"logistic": Equal(wins, sigmoid(r(y2, x) - r(y, x)))',
        "@theorem(",
    ),
    ("push = sigmoid(-lead)", "push = sigmoid(lead)", "by(slope),"),
]


def test_it_is_proved_for_every_size():
    assert_proved(bradley_terry_ignores_prompt_shifts, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(bradley_terry_ignores_prompt_shifts, old, new, tmp_path).strip() == line
