"""Powers and geometric series.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.powers_of_the_discount_vanish import (
    powers_of_the_discount_vanish,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_by_squeezing limit_is_local limit_of_constant limit_of_product
limit_of_reciprocal_count limit_of_sum"""
SLIPS = [
    ("INFINITY, 1 / (1 - gamma)),\n    }", "INFINITY, 1 / (1 + gamma)),\n    }", "@theorem("),
    (
        "gamma**T * (1 + T * (1 - gamma)) <= 1",
        "gamma**T * (2 + T * (1 - gamma)) <= 1",
        'gamma**T * (2 + T * (1 - gamma)) <= 1, by(lost, induct=T), "Bernoulli\'s inequality"',
    ),
    (
        "by(lost, induct=T)",
        "by(induct=T)",
        'gamma**T * (1 + T * (1 - gamma)) <= 1, by(induct=T), "Bernoulli\'s inequality"',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(powers_of_the_discount_vanish, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(powers_of_the_discount_vanish, old, new, tmp_path).strip() == line
