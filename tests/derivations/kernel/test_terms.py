"""Heads never evaluate, sorts are checked, floats and SymPy's own heads are refused by name."""

from __future__ import annotations

import pytest
import sympy
from sympy import Float, Integer, Rational, Symbol

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Delta, Eq, Exp, Fin, Fn, Inv, Log, Lt, Max2, Prod, Range, Refused, Slot, Var, Words, WordsOf
from derivations.language.syntax import term
from tests.derivations.kernel.applying import F, X, Y, a, b, c, f, m, n, p, w, x, y, z

# --- nothing evaluates


@pytest.mark.parametrize(
    "t",
    [
        Inv(Integer(1)),
        Inv(Integer(0)),
        Inv(Integer(2)),
        Inv(Inv(x)),
        x * Inv(x),
        Exp(Integer(0)),
        Exp(Log(x)),
        Log(Exp(x)),
        Log(Integer(1)),
        Log(x * y),
        Exp(x) * Exp(y),
        Max2(x, x),
        Max2(Integer(1), Integer(2)),
        Delta(a, a),
        K.Sum(Range(Integer(0)), x),
        K.Sum(X, Integer(0)),
        Inv(Integer(2)) * 2,
        Log(Integer(-1)),
        Inv(x) ** 2 * x,
    ],
    ids=str,
)
def test_our_heads_do_not_evaluate(t: K.Expr) -> None:
    """Whatever cancels must do so in the normal form, where the side condition is looked at."""
    assert any(isinstance(e, K.Head) for e in B.subterms(t))


def test_a_quotient_of_our_terms_is_a_reciprocal() -> None:
    assert x / x == x * Inv(x)
    assert 1 / x == Inv(x)
    assert x / 2 == Rational(1, 2) * x
    assert x / 0 == x * Inv(0)
    assert F(a) / F(a) != 1


def test_relations_do_not_evaluate() -> None:
    assert Eq(x, x) != Eq(y, y)
    assert Lt(0, 1) != Lt(0, 2)
    assert isinstance(Eq(1, 1), K.Formula)


# --- what is refused


@pytest.mark.parametrize("bad", [0.5, 1e30, float("nan"), float("inf"), Float("0.5"), True, False, "x", "1", None, [], sympy.true])
def test_what_is_no_exact_term_is_refused(bad: object) -> None:
    for build in (K.as_term, Inv, Exp, lambda t: Eq(x, t), lambda t: f(t), lambda t: x / t, term):
        with pytest.raises((Refused, TypeError)):
            build(bad)


@pytest.mark.parametrize("t", [x + 0.5, 0.5 * x, x**0.5, x * Float(2), Inv(x) * 0.25, f(x) - 1.5], ids=str)
def test_a_float_inside_a_term_is_refused(t: object) -> None:
    with pytest.raises(Refused, match=r"Float|Pow"):
        term(t)


def test_rational_of_a_float_is_exact_to_sympy() -> None:
    """Rational(0.5) is 1/2 before we see it; Rational(0.1) shows what went wrong."""
    assert term(Rational(0.5)) == Rational(1, 2)
    assert term(Rational(0.1)) != Rational(1, 10)


s, i = Symbol("s"), Symbol("i", integer=True)


@pytest.mark.parametrize(
    ("t", "name"),
    [
        (sympy.log(s), "log"),
        (sympy.exp(s), "exp"),
        (sympy.Sum(s, (i, 1, 3)), "Sum"),
        (sympy.Derivative(sympy.Function("h")(s), s), "Derivative"),
        (sympy.Piecewise((s, s > 0), (0, True)), "Piecewise"),
        (sympy.Min(s, 1), "Min"),
        (sympy.Max(s, 1), "Max"),
        (sympy.oo, "Infinity"),
        (-sympy.oo, "NegativeInfinity"),
        (sympy.nan, "NaN"),
        (sympy.zoo, "ComplexInfinity"),
        (sympy.Abs(s), "Abs"),
        (sympy.sqrt(s), "Pow|Symbol"),
        (sympy.sqrt(2), "Pow"),
        (sympy.pi, "Pi"),
        (sympy.E, "Exp1"),
        (sympy.I, "ImaginaryUnit"),
        (s, "Symbol"),
        (sympy.KroneckerDelta(i, 1), "KroneckerDelta"),
        (sympy.Function("h")(s), "h|Symbol"),
        (sympy.Integral(s, s), "Integral"),
        (sympy.Heaviside(s), "Heaviside"),
        (sympy.factorial(i), "factorial"),
        (sympy.Dummy("d"), "Dummy"),
        (sympy.Wild("d"), "Wild"),
    ],
    ids=str,
)
def test_sympy_s_own_heads_are_refused_by_name(t: K.Expr, name: str) -> None:
    """The message names the head, or what stands below it and was met first."""
    for whole in (t, t + x, Inv(x) * t):
        with pytest.raises(Refused) as caught:
            term(whole)
        assert any(word in str(caught.value) for word in [*name.split("|"), "Symbol", "NaN"])


@pytest.mark.parametrize("power", [Rational(1, 2), x, Inv(n), n - 1, -n, Integer(-1), K.Card(X), F(a)], ids=str)
def test_a_power_wants_a_natural_exponent(power: K.Expr) -> None:
    with pytest.raises(Refused):
        B.check(sympy.Pow(y, power, evaluate=False))


def test_a_power_with_a_natural_exponent() -> None:
    h = Fn("h", NAT, X)
    for power in (n, n + 1, 2 * n, n * m, n**2, h(a), Integer(0)):
        assert B.check(y**power) == y**power


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
    for sort in (x, f, Range(n), Words(X, n), Integer(3), Eq(x, y), K.Named("complex"), Prod(X, NAT), WordsOf(NAT)):
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
    alike += [Var("v ", REAL), Bound(0, REAL), Bound(0, NAT), Slot(0, REAL), Var("0", REAL), Var("Bound0", REAL), Var(0, REAL)]
    assert len(set(alike)) == len(alike)
    assert all(s != t for i, s in enumerate(alike) for t in alike[:i])


def test_a_set_a_function_and_a_sort_of_one_name_are_different() -> None:
    sorts = [Fin("f"), Fn("f", REAL), Fn("f", NAT), Fn("f", REAL, REAL), Fn("f", REAL, X), K.Named("f")]
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
