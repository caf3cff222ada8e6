"""The estimator against counting, its mean, and the plug-in that is too low."""

from itertools import combinations

import pytest

from numerics.errors import UnusableInput
from numerics.lessons.pass_at_k import expected, pass_at_k, plug_in


def test_it_counts_the_choices_with_a_right_one() -> None:
    for n, c, k in ((5, 2, 3), (6, 0, 2), (4, 4, 1), (5, 3, 5)):
        choices = list(combinations([True] * c + [False] * (n - c), k))
        assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, choices)) / len(choices))


@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 1), (5, 3), (20, 20)])
@pytest.mark.parametrize("p", [0.0, 0.1, 0.7, 1.0])
def test_its_mean_is_the_chance(n: int, k: int, p: float) -> None:
    assert expected(pass_at_k, n, p, k) == pytest.approx(1 - (1 - p) ** k, abs=1e-12)


def test_the_plug_in_is_too_low() -> None:
    assert expected(plug_in, 5, 0.3, 1) == pytest.approx(0.3)
    for k in (2, 4):
        assert expected(plug_in, 5, 0.3, k) < 1 - 0.7**k - 0.01


def test_large_counts_do_not_overflow() -> None:
    assert 0 < pass_at_k(20_000, 3, 5_000) < 1


def test_impossible_counts_are_refused() -> None:
    for counts in ((3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4)):
        with pytest.raises(UnusableInput, match="counts"):
            pass_at_k(*counts)
