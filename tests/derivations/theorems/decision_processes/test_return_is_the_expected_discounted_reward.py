"""J over trajectories and over visits.  A slip is refused at its line."""

import pytest

from derivations.theorems.decision_processes.return_is_the_expected_discounted_reward import (
    return_is_the_expected_discounted_reward,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """limit_is_local limit_keeps_order limit_of_constant limit_of_finite_sum
limit_of_product"""
SLIPS = [
    (
        'Limit(along, T, INFINITY, expected_return(V)),\n        "vis',
        'Limit(along, T, INFINITY, -expected_return(V)),\n        "vis',
        "@theorem(",
    ),
    (
        "visited = Sum(d(s) * rewards(s), s)",
        "visited = Sum(p0(s) * rewards(s), s)",
        "by(starts, visits.limit, value_.limit, limit=T),",
    ),
    (
        'by(laws["mixture"])',
        "by()",
        'Equal(by_visits, by_starts), by(), "each start with its own states"',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(return_is_the_expected_discounted_reward, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(return_is_the_expected_discounted_reward, old, new, tmp_path).strip() == line
