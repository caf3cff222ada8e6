"""Reductions by hand, empty rows included."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.reductions import REDUCTIONS, reduce_tokens

VALUES = torch.tensor([[1.0, 2.0], [4.0, 9.0], [7.0, 7.0]], dtype=torch.float64)
MASK = torch.tensor([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]], dtype=torch.float64)


@pytest.mark.parametrize(
    ("how", "expected"),
    list(zip(REDUCTIONS, (7 / 3, 3.5, (1.5 + 4) / 2, 1.75), strict=True)),
)
def test_by_hand_with_an_empty_row(how: str, expected: float) -> None:
    assert float(reduce_tokens(VALUES, MASK, how)) == pytest.approx(expected, rel=1e-15)
    assert float(reduce_tokens(VALUES, MASK.bool(), how)) == pytest.approx(expected, rel=1e-15)


def test_at_one_row_token_mean_and_sequence_mean_coincide() -> None:
    one = [
        reduce_tokens(VALUES[:1], MASK[:1], how) for how in ("token-mean", "seq-mean-token-mean")
    ]
    assert float(one[0]) == float(one[1])


def test_norm_and_guard() -> None:
    norm = reduce_tokens(VALUES, MASK, "seq-mean-token-sum-norm", norm=7.0)
    assert float(norm) == pytest.approx(0.5)
    assert float(reduce_tokens(VALUES, MASK, "token-mean", guard=1.0)) == pytest.approx(7 / 4)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnusableInput, match="token-mean, seq-mean-token-sum"):
        reduce_tokens(VALUES, MASK, "mean")
