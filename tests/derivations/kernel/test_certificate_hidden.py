"""Ill-formed terms that hide behind a factor which becomes 0 when a binder is opened."""

from __future__ import annotations

from typing import Any

import pytest

from derivations.kernel import binding as B
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import Refused
from tests.derivations.kernel.applying import x
from tests.derivations.kernel.forger import Forger, rejected


def gaps(w: Forger, tag: str) -> list[int]:
    """Differences that SymPy may cancel when the bound variable gets a name."""
    bound, minus = w.node("Bound", "0", w.real), w.node("Q", "-1", "1")
    others = [w.node("Var", tag, w.real), w.node("Bound", "0", w.natural)]
    others += [w.node("Bound", "0", w.node("Fin", "X"))]
    return [w.node("Add", bound, w.node("Mul", minus, other)) for other in others]


def hidden(w: Forger) -> list[int]:
    """Terms that are not ours."""
    half, minus = w.node("Q", "1", "2"), w.node("Q", "-1", "1")
    powers = [w.node("Pow", w.x, e) for e in (half, minus, w.x)]
    log = w.node("Eq", w.x, w.x)
    return [*powers, w.node("Inv", w.node("Pow", w.x, half)), w.node("Exp", w.node("Inv", log))]


@pytest.mark.parametrize("tag", ["", "x", "v", "0", "1", "_", "i"])
@pytest.mark.parametrize("which", range(3))
@pytest.mark.parametrize("bad", range(5))
def test_nothing_hides_behind_a_zero_factor(tag: str, which: int, bad: int) -> None:
    """for all v: (v - w) sqrt(x) = ..., where check itself opened v with the name of w."""
    w = Forger()
    product = w.node("Mul", gaps(w, tag)[which], hidden(w)[bad])
    formula = w.node("All", w.real, w.node("Eq", product, product))
    step = w.step("assume", {"formula": {"t": formula}}, [], formula)
    rejected(w.text(formula, step, (formula,)))


@pytest.mark.parametrize("tag", ["-1", "-2", "1", "7"])
def test_an_index_belongs_to_a_binder_around_it(tag: str) -> None:
    """An index -1 is bound by nothing: it would be a constant without a name."""
    w = Forger()
    stray = w.node("Bound", tag, w.real)
    formula = w.node("All", w.real, w.node("Eq", stray, stray))
    rejected(
        w.text(formula, w.step("assume", {"formula": {"t": formula}}, [], formula), (formula,))
    )
    nested = w.node("All", w.real, w.node("All", w.real, w.node("Lt", stray, stray)))
    if tag != "1":
        rejected(
            w.text(nested, w.step("assume", {"formula": {"t": nested}}, [], nested), (nested,))
        )


def test_two_is_not_one() -> None:
    """for all v: (v - w) sqrt(x) = v - w was restated from an identity; x := 4 made it 2 = 1."""
    w = Forger()
    n: Any = w.node
    other, bound = n("Var", "", w.real), n("Bound", "0", w.real)
    minus, two, half = n("Q", "-1", "1"), n("Q", "2", "1"), n("Q", "1", "2")
    gap = n("Add", bound, n("Mul", minus, other))
    honest = n("All", w.real, n("Eq", gap, gap))
    rooted = n("All", w.real, n("Eq", n("Mul", gap, n("Pow", w.x, half)), gap))
    v = n("Var", "v", w.real)
    w.reflexive(n("Add", v, n("Mul", minus, other)))
    w.step("generalise", {"variable": {"t": v}}, [0], honest)
    w.step("restate", {"formula": {"t": rooted}}, [1], rooted)
    doubled = n("All", w.real, n("Eq", n("Mul", two, gap), gap))
    w.step("instantiate", {"values": {"m": [[w.x, n("Q", "4", "1")]]}}, [2], doubled)
    false = n("Eq", two, w.one)
    last = w.step("specialise", {"term": {"t": n("Add", other, w.one)}}, [3], false)
    rejected(w.text(false, last))


@pytest.mark.parametrize("power", ["1/2", "-1", "-1/2", "3/2", "x"])
def test_the_normal_form_does_not_read_other_powers(power: str) -> None:
    """x^(1/2) had the normal form 1: refused, or left alone, whoever calls it."""
    import sympy

    exponent = x if power == "x" else sympy.Rational(power)
    t = sympy.Pow(x, exponent, evaluate=False)
    with pytest.raises(Refused):
        B.check(t)
    try:
        assert not Normaliser().is_zero(t - 1)
    except Refused:
        return
    assert not Normaliser().is_zero(t - x)
