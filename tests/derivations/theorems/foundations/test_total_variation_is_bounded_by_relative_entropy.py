"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.total_variation_is_bounded_by_relative_entropy import (
    total_variation_is_bounded_by_relative_entropy,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_linear derivative_of_logarithm
derivative_of_product derivative_of_sum exponential_of_logarithm exponential_of_sum
logarithm_bound logarithm_of_exponential nonnegative_derivative_is_monotone"""
SLIPS = [
    ("** 2 <= KL(p, q, a) / 2,\n", "** 2 <= KL(p, q, a) / 4,\n", "@theorem("),
    (
        '"weaker": total_variation(p, q, a) ** 2 <= KL(p, q, a)',
        '"weaker": total_variation(p, q, a) <= KL(p, q, a)',
        "@theorem(",
    ),
    (
        "m = (2 * p(a) + 4 * q(a)) / 3",
        "m = (2 * p(a) + 4 * q(a)) / 6",
        "by(one_variable(p(a) / q(a)), p_in_q, split=(p(a), q(a))),",
    ),
    ("given=[p_, q_, p_in_q]", "given=[p_, q_]", "@theorem("),
    (
        "by(total(T / 2))",
        "by(total(T))",
        "pinsker = claim(total_variation(p, q, a) ** 2 <= KL(p, q, a) / 2, by(total(T)), "
        '"Pinsker")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(total_variation_is_bounded_by_relative_entropy, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(total_variation_is_bounded_by_relative_entropy, old, new, tmp_path).strip()
        == line
    )
