"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.tilted_reference_is_the_unique_optimum import (
    tilted_reference_is_the_unique_optimum,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "expectation(p, r, y) - beta * KL(p, ref, y)",
        "expectation(p, r, y) + beta * KL(p, ref, y)",
        "by(log_of_tilt, p_.total),",
    ),
    ('"bound": objective(p) <= beta * log(Z)', '"bound": objective(p) <= log(Z)', "@theorem("),
    (
        'beta * KL(p, star, y)),\n        "bound"',
        'beta * KL(star, p, y)),\n        "bound"',
        "@theorem(",
    ),
    ("p_in_ref, beta_positive, Z_]", "beta_positive, Z_]", "@theorem("),
    (
        '"unique": Implies(Equal(objective(p), beta * log(Z)), Equal(p(y), star(y)))',
        '"unique": Implies(Equal(objective(p), beta * log(Z)), Equal(p(y), ref(y)))',
        "@theorem(",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(tilted_reference_is_the_unique_optimum, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(tilted_reference_is_the_unique_optimum, old, new, tmp_path).strip() == line
