"""fisher_form_along_a_line: proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.fisher_form_along_a_line import fisher_form_along_a_line
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """derivative_gives_quotient derivative_of_composition derivative_of_finite_sum
derivative_of_linear derivative_of_logarithm derivative_of_product
derivative_of_reciprocal exponential_of_logarithm exponential_of_sum limit_is_local
limit_is_unique limit_of_constant limit_of_sum logarithm_of_exponential
quotient_gives_derivative taylor_with_peano_remainder"""
SLIPS = [
    (
        "direction(i) * fisher(i, j) * direction(j)",
        "direction(i) * fisher(i, j)",
        "square = claim(Equal(Sum(p(0, a) * (dp(0, a) / p(0, a)) ** 2, a), form), by(along), "
        '"the form")',
    ),
    (
        '"reverse": Limit(KL(there, start, a) / t**2, t, 0, form / 2)',
        '"reverse": Limit(KL(there, start, a) / t, t, 0, form / 2)',
        "@theorem(",
    ),
    (
        'local["forward_limit"].at(theta0=0), square',
        'local["reverse_limit"].at(theta0=0), square',
        'by(local["reverse_limit"].at(theta0=0), square),',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(fisher_form_along_a_line, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(fisher_form_along_a_line, old, new, tmp_path).strip() == line
