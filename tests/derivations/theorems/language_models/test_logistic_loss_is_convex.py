"""logistic_loss_is_convex: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.logistic_loss_is_convex import logistic_loss_is_convex
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_of_composition derivative_of_exponential derivative_of_linear
derivative_of_logarithm derivative_of_product derivative_of_reciprocal
derivative_of_sum exponential_is_positive exponential_of_logarithm
exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    ("z, c, -sigmoid(-c))),", "z, c, -sigmoid(c))),", "@theorem("),
    (
        'sigmoid(-v) * (u - v)),\n        "convex"',
        'sigmoid(v) * (u - v)),\n        "convex"',
        "@theorem(",
    ),
    (
        "weights = (s >= 0, t >= 0, Equal(s + t, 1))",
        "weights = (s >= 0, t >= 0, Equal(s + t, 2))",
        "by(tangent(u, between), tangent(v, between), mixing),",
    ),
    (
        "ratio_bound(B, A, v - u)",
        "ratio_bound(B, A, u - v)",
        "by(ratio_bound(B, A, 0), ratio_bound(B, A, u - v), divide=A),",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(logistic_loss_is_convex, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(logistic_loss_is_convex, old, new, tmp_path).strip() == line
