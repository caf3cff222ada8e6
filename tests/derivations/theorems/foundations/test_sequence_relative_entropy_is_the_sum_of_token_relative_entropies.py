"""Proved for every size; slips are refused at their line."""

import pytest

from derivations.theorems.foundations.sequence_relative_entropy_is_the_sum_of_token_relative_entropies import (  # noqa: E501
    sequence_relative_entropy_is_the_sum_of_token_relative_entropies,
)
from tests.derivations.theorems.broken import assert_proved, refused_at

AXIOMS = """exponential_of_logarithm exponential_of_sum logarithm_of_exponential"""
SLIPS = [
    (
        '"per_token": Equal(whole(n), per_token(n))',
        '"per_token": Equal(n * whole(n), per_token(n))',
        "@theorem(",
    ),
    (
        "Sum(P(h) * token(h), (h, sequences",
        "Sum(Q(h) * token(h), (h, sequences",
        '("=", per_token(n + 1), by(before)),',
    ),
    (
        "Equal(L(append(w, v)), L(w) + log(p(v, w) / q(v, w)))",
        "Equal(L(append(w, v)), L(w) - log(p(v, w) / q(v, w)))",
        "by(ratio_of_more, split=p(v, w)),",
    ),
    (
        "x2 * rel_entr(x, y) + x * rel_entr(x2, y2)",
        "x * rel_entr(x, y) + x2 * rel_entr(x2, y2)",
        "by(split=(x, x2)),",
    ),
    (
        "given=[nonneg, total, q_nonneg, p_in_q,",
        "given=[nonneg, total, q_nonneg,",
        "token_inside = claim(Equal(p(v, w) * nonzero(q(v, w)), p(v, w)), by(split=p(v, w)), "
        '"p ≪ q")',
    ),
]


def test_it_is_proved_for_every_size():
    assert_proved(sequence_relative_entropy_is_the_sum_of_token_relative_entropies, AXIOMS)


@pytest.mark.parametrize(("old", "new", "line"), SLIPS)
def test_a_slip_is_refused(tmp_path, old, new, line):
    assert (
        refused_at(
            sequence_relative_entropy_is_the_sum_of_token_relative_entropies, old, new, tmp_path
        ).strip()
        == line
    )
