"""Heads never evaluate, sorts are checked, floats and SymPy's own heads are refused by name."""

from __future__ import annotations

import pytest
import sympy
from sympy import Float, Integer, Rational, Symbol

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    Delta,
    Eq,
    Exp,
    Fn,
    Inv,
    Log,
    Lt,
    Max2,
    Range,
    Refused,
)
from derivations.language.syntax import term
from tests.derivations.kernel.applying import F, X, a, f, m, n, x, y

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


@pytest.mark.parametrize(
    "bad",
    [
        0.5,
        1e30,
        float("nan"),
        float("inf"),
        Float("0.5"),
        True,
        False,
        "x",
        "1",
        None,
        [],
        sympy.true,
    ],
)
def test_what_is_no_exact_term_is_refused(bad: object) -> None:
    for build in (K.as_term, Inv, Exp, lambda t: Eq(x, t), f, lambda t: x / t, term):
        with pytest.raises((Refused, TypeError)):
            build(bad)


@pytest.mark.parametrize(
    "t", [x + 0.5, 0.5 * x, x**0.5, x * Float(2), Inv(x) * 0.25, f(x) - 1.5], ids=str
)
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


@pytest.mark.parametrize(
    "power", [Rational(1, 2), x, Inv(n), n - 1, -n, Integer(-1), K.Card(X), F(a)], ids=str
)
def test_a_power_wants_a_natural_exponent(power: K.Expr) -> None:
    with pytest.raises(Refused):
        B.check(sympy.Pow(y, power, evaluate=False))


def test_a_power_with_a_natural_exponent() -> None:
    h = Fn("h", NAT, X)
    for power in (n, n + 1, 2 * n, n * m, n**2, h(a), Integer(0)):
        assert B.check(y**power) == y**power
