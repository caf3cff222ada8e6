"""Theorem 13.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.a_baseline_adds_no_bias import a_baseline_adds_no_bias
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_finite_sum derivative_of_linear
limit_is_unique"""
SLIPS = [
    ("dpi(a, s) * b(s), a), 0),\n", "dpi(a, s) * b(s), a), b(s)),\n", "@theorem("),
    (
        "slope(lambda s, a: Q(s, a) - b(s)), slope(Q))",
        "slope(lambda s, a: Q(s, a) - b(s)), slope(lambda s, a: 2 * Q(s, a)))",
        "@theorem(",
    ),
    ('("=", slope(Q), by(nothing))', '("=", slope(Q), by())', '("=", slope(Q), by()),'),
]


def test_it_is_proved_for_every_size():
    assert_proved(a_baseline_adds_no_bias, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(a_baseline_adds_no_bias, old, new, tmp_path).strip() == line
