"""A violation that only rounding made is unknown; one that is real stays a violation."""

import pytest
import torch

from derivations.kernel import terms as K
from derivations.language import syntax as L
from numerics.bridge import TOP
from numerics.crosscheck import FAIL, INCONCLUSIVE, judged_on
from numerics.instances import batches
from numerics.rounding import Shaken

x, y = L.reals("x", "y")
BIG = L.exp(50 * x**2 + 100)


def on_models(formula):
    positive = [("positive", K.Lt(0, x)), ("of y", K.Lt(0, y))]
    p = L.formula(formula)
    return judged_on("", p, batches(positive, [p], seed=3)).verdict


LOG_OF_ONE = K.Log(x * K.Inv(x * y * K.Inv(y)))  # SymPy cancels (x y) / (x y) itself


@pytest.mark.parametrize(
    "formula",
    [L.Equal(BIG * LOG_OF_ONE, 0), L.AtMost(BIG * LOG_OF_ONE, 0), L.Less(BIG * LOG_OF_ONE, 1)],
)
def test_rounding_times_a_large_factor_is_not_a_violation(formula):
    assert on_models(formula) == INCONCLUSIVE


@pytest.mark.parametrize(
    "formula",
    [
        L.Equal(BIG * L.log(1 + x / 10**6), 0),  # large, and real
        L.Equal(x + x / 10**7, x),  # small, and real
        L.AtMost(BIG * (x + y), BIG * x),
        L.Less(BIG * LOG_OF_ONE + 1, -BIG),
    ],
)
def test_a_real_difference_stays_a_violation(formula):
    assert on_models(formula) == FAIL


def test_the_shaken_evaluator_moves_results_and_leaves_symbols():
    (batch,) = batches([], [L.formula(L.Equal(x, y))])
    shaken = Shaken(batch.first)
    assert torch.equal(shaken.real(L.term(x), TOP), batch.first.real(L.term(x), TOP))
    e = L.term(x + y)
    before, moved = batch.first.real(e, TOP), shaken.real(e, TOP)
    assert not torch.equal(moved, before)
    torch.testing.assert_close(moved, before, rtol=2e-13, atol=0)
