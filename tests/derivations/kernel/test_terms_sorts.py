"""Sorts are checked; equality is structural, never by strings; statements are not lost."""

from __future__ import annotations

import pytest
import sympy
from sympy import Integer, Rational, Symbol

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Bound,
    Delta,
    Eq,
    Exp,
    Fin,
    Fn,
    Inv,
    Max2,
    Prod,
    Range,
    Refused,
    Slot,
    Var,
    Words,
    WordsOf,
)
from derivations.language.syntax import term
from tests.derivations.kernel.applying import F, X, Y, a, b, c, f, n, p, w, x, y, z

# --- sorts


@pytest.mark.parametrize(
    "t",
    [
        Delta(a, c),
        Delta(x, y),
        Delta(n, x),
        Delta(a, n),
        K.Snoc(w, c),
        K.Snoc(a, a),
        K.Snoc(w, n),
        K.Pair(n, a),
        K.Pair(w, a),
        K.Sum(REAL, x),
        K.Sum(WordsOf(X), x),
        K.Sum(X, a),
        K.Sum(Range(x), y),
        K.Sum(Range(Integer(-5)), Integer(1)),
        K.Sum(Range(n - 1), Integer(1)),
        K.Sum(Words(X, x), y),
        K.Sum(Words(Range(n), n), y),
        K.Sum(Prod(X, Range(n)), y),
        K.Max(Range(n), y),
        K.Max(Words(X, n), y),
        K.Card(Range(n)),
        K.Card(WordsOf(X)),
        F(c),
        F(x),
        f(a),
        F(a, b),
        F(),
        f(Eq(x, y)),
        f(X),
        K.App(X, a),
        Inv(a),
        Exp(w),
        Max2(a, b),
        a + b,
        2 * a,
        a * x,
        Fn("h", NAT)() ** x,
        K.Nil(NAT),
        Eq(a, b),
        Eq(w, K.Nil(X)),
        Eq(x, Eq(x, y)),
        K.Imp(x, Eq(x, y)),
        K.All(x, Eq(x, y)),
        K.All(f, Eq(x, y)),
        K.All(Range(n), Eq(x, y)),
        K.Lim(x, y, z),
        K.Lim(K.Near(a), y, z),
        K.HasD(x, a, y),
    ],
    ids=str,
)
def test_ill_sorted_terms_are_refused(t: K.Basic) -> None:
    with pytest.raises(Refused, match=r"\w"):
        B.check(t)


def test_a_variable_wants_a_sort() -> None:
    for sort in (
        x,
        f,
        Range(n),
        Words(X, n),
        Integer(3),
        Eq(x, y),
        K.Named("complex"),
        Prod(X, NAT),
        WordsOf(NAT),
    ):
        with pytest.raises(Refused):
            B.check(Var("v", sort))


def test_naturals_are_reals_and_nothing_else_is() -> None:
    assert K.fits(n, REAL) and not K.fits(x, NAT) and not K.fits(a, REAL)
    assert K.sort_of(n + 1) == NAT and K.sort_of(n - 1) == REAL and K.sort_of(-n) == REAL
    assert K.sort_of(Integer(-1)) == REAL and K.sort_of(Rational(1, 2)) == REAL
    assert K.sort_of(K.Pair(a, c)) == Prod(X, Y) and K.sort_of(K.Snoc(w, a)) == WordsOf(X)
    assert K.sort_of(p) == Prod(X, Y)


# --- structural equality, never strings


def test_names_that_print_alike_are_different() -> None:
    """The prototype's string keys collided."""
    alike = [Var("v", s) for s in (REAL, NAT, X, Fin("real"), WordsOf(X), Prod(X, X))]
    alike += [
        Var("v ", REAL),
        Bound(0, REAL),
        Bound(0, NAT),
        Slot(0, REAL),
        Var("0", REAL),
        Var("Bound0", REAL),
        Var(0, REAL),
    ]
    assert len(set(alike)) == len(alike)
    assert all(s != t for i, s in enumerate(alike) for t in alike[:i])


def test_a_set_a_function_and_a_sort_of_one_name_are_different() -> None:
    sorts = [
        Fin("f"),
        Fn("f", REAL),
        Fn("f", NAT),
        Fn("f", REAL, REAL),
        Fn("f", REAL, X),
        K.Named("f"),
    ]
    assert len(set(sorts)) == len(sorts)


def test_functions_of_one_name_and_different_types_do_not_meet() -> None:
    s, t = Fn("f", REAL, X)(a), Fn("f", REAL, X, X)(a, a)
    assert s != t and s - t != 0
    assert Fn("f", REAL, REAL)(n) != Fn("f", REAL, NAT)(n)


def test_a_symbol_with_and_without_assumptions_is_no_variable() -> None:
    """SymPy: Symbol('x') and Symbol('x', real=True) differ, print alike, and differentiate to 0."""
    for symbol in (Symbol("x"), Symbol("x", real=True)):
        with pytest.raises(Refused, match="Symbol"):
            term(symbol + x)


def test_comparing_naturals_never_gives_a_boolean_silently() -> None:
    """SymPy turned n >= 0 into True for a natural: the statement was lost."""
    from derivations.language.syntax import AtMost, formula

    try:
        found = formula(n >= 0)
    except Refused as e:
        assert "AtMost" in str(e)
    else:
        assert found == K.Le(0, n)
    assert AtMost(0, n) == K.Le(0, n)
    for lost in (Integer(0) <= Integer(1), sympy.true, sympy.false, True, sympy.Eq(x, x)):
        with pytest.raises(Refused):
            formula(lost)
