"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.language_models.connected_comparisons_identify_rewards import (
    connected_comparisons_identify_rewards,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_is_positive exponential_of_sum logarithm_bound logarithm_of_exponential"""
SLIPS = [
    (
        'Equal(lead(r2), lead(r))\n        ),\n        "not',
        'Equal(lead(r2), 2 * lead(r))\n        ),\n        "not',
        "@theorem(",
    ),
    (
        "by(graph.empty, graph.longer, link, at_rest, induct=w)",
        "by(graph.empty, graph.longer, at_rest, induct=w)",
        "by(graph.empty, graph.longer, at_rest, induct=w),",
    ),
    (
        "Equal(k(y, x), k(y2, x)))",
        "Equal(k(y, x), 2 * k(y2, x)))",
        'ends = claim(Equal(k(y, x), k(y2, x)), by(cut, compared), "equal ends")',
    ),
    (
        "given=[graph]",
        "given=[graph.nonneg, graph.empty, graph.longer]",
        "Equal(lead(r2), lead(r)), by(along, divide=paths(y, y2, route(y, y2, x), x))",
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(connected_comparisons_identify_rewards, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert refused_at(connected_comparisons_identify_rewards, old, new, tmp_path).strip() == line
