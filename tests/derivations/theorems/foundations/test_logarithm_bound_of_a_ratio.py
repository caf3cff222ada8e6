"""logarithm_bound_of_a_ratio: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.logarithm_bound_of_a_ratio import logarithm_bound_of_a_ratio
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_logarithm exponential_of_sum logarithm_bound
logarithm_of_exponential"""
SLIPS = [
    (
        "log(x) - log(y) + z",
        "log(y) - log(x) + z",
        "ratio = claim(bound, by(log_bound(x * exp(z) / y), positive))",
    ),
    (
        "<= x * exp(z) - y",
        "<= x * exp(z) - 2 * y",
        "ratio = claim(bound, by(log_bound(x * exp(z) / y), positive))",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(logarithm_bound_of_a_ratio, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(logarithm_bound_of_a_ratio, old, new, tmp_path).strip() == line
