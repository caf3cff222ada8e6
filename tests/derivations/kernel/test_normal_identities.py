"""Identities that the normal form must find, and false equalities that it must refuse."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Add, Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import (
    NAT,
    REAL,
    Delta,
    Eq,
    Exp,
    Fin,
    Fn,
    Inv,
    Log,
    Lt,
    Max2,
    Range,
    Var,
    Words,
)
from tests.derivations.kernel.applying import F, G, X, Y, a, b, c, f, k, m, n, nonzero, x, y, z
from tests.derivations.kernel.evaluate import Model, refuted

g, r = Fn("g", REAL, X), Fn("r", REAL, NAT)


def zero(e: Any, *facts: K.Formula) -> bool:
    return Normaliser(facts).is_zero(e)


def models(count: int) -> list[Model]:
    return [Model(seed, largest=2) for seed in range(count)]


# --- identities that must be found


def S(body: Any, *vs: Var) -> Any:
    return total(body, list(vs) or [a])


def total(body: Any, vs: list[Var]) -> Any:
    for v in vs:
        body = B.bind_sum(body, v, v.sort)
    return body


GOOD = {
    "renamed": S(F(a)) - S(F(b), b),
    "exchanged": S(G(a, b), a, b) - S(G(a, b), b, a),
    "factored": S(F(a) * g(b), a, b) - S(F(a)) * S(g(a)),
    "constant": S(x) - K.Card(X) * x,
    "delta": S(Delta(a, b) * F(a)) - F(b),
    "softmax Jacobian": S(Delta(a, b) * F(a) - F(a) * F(b)) - F(b) + F(b) * S(F(a)),
    "exp": Exp(x / 2) ** 2 - Exp(x),
    "one more": B.bind_sum(x**m, m, Range(n + 1)) - B.bind_sum(x**m, m, Range(n)) - x**n,
    "Lagrange": S((F(a) * g(b) - F(b) * g(a)) ** 2, a, b)
    - 2 * S(F(a) ** 2) * S(g(a) ** 2)
    + 2 * S(F(a) * g(a)) ** 2,
    "square": S(F(a)) ** 2 - S(F(a) * F(b), a, b),
    "empty range": B.bind_sum(r(n), n, Range(Integer(0))),
    "empty words": B.bind_sum(x, Var("w", K.WordsOf(X)), Words(X, Integer(0))) - x,
    "reciprocal of a reciprocal": Inv(Inv(x)) - x,
    "indicator": x * Inv(x) * x - x,
    "zero": Inv(x - x),
    "delta is its square": Delta(a, b) ** 2 - Delta(a, b),
    "delta is its reciprocal": Inv(Delta(a, b)) - Delta(a, b),
    "powers": (x * y) ** n - x**n * y**n,
    "power of a power": (x**n) ** m - x ** (n * m),
    "sum of exponents": x ** (n + m + 2) - x**n * x**m * x * x,
    "one to the n": Integer(1) ** n - 1,
    "maximum": Max2(x, x) - x,
    "order in a maximum": Max2(x + y, z) - Max2(z, y + x),
    "triangle of ranges": B.bind_sum(B.bind_sum(r(m), m, Range(k)), k, Range(Integer(3)))
    - 2 * r(Integer(0))
    - r(Integer(1)),
}

BAD = {
    "square of a sum": S(F(a)) ** 2 - S(F(a) ** 2),
    "sum of a constant": S(x) - x,
    "capture": B.substitute(S(x * F(a)), {x: F(a)}) - S(F(a) ** 2),
    "sum of a product": S(F(a) * g(a)) - S(F(a)) * S(g(a)),
    "x/x": x * Inv(x) - 1,
    "exp log": Exp(Log(x)) - x,
    "log of a product": Log(x * y) - Log(x) - Log(y),
    "log of a square": Log(x**2) - 2 * Log(x),
    "log of a power": Log(x**n) - n * Log(x),
    "delta is not one": S(Delta(a, b) * F(a)) - S(F(a)),
    "empty range": B.bind_sum(r(n), n, Range(Integer(0))) - r(Integer(0)),
    "diagonal": S(S(G(a, b), a), b) - S(S(G(a, a), a), b),
    "off by one": B.bind_sum(x**m, m, Range(n + 1)) - B.bind_sum(x**m, m, Range(n)) - x ** (n + 1),
    "half": f(Exp(x / 2)) - f(Integer(1)),
    "1/0": Inv(x - x) - 1,
    "reciprocal of a sum": Inv(S(F(a))) - S(Inv(F(a))),
    "0^n": Integer(0) ** n,
    "x^(n-m) at zero": x**n * Inv(x**m) * x**m - x**n,
    "delta outside a range": B.bind_sum(Delta(n, m) * r(n), n, Range(k)) - r(m),
    "delta outside words": B.bind_sum(
        Delta(Var("w", K.WordsOf(X)), Var("u", K.WordsOf(X))), Var("w", K.WordsOf(X)), Words(X, n)
    )
    - 1,
    "strictly more": Max2(x, y) - x,
    "size one": K.Card(X) - 1,
    "size of words": B.bind_sum(Integer(1), Var("w", K.WordsOf(X)), Words(X, n)) - K.Card(X) * n,
    "power of a sum": (x + y) ** n - x**n - y**n,
    "triangle transposed": B.bind_sum(B.bind_sum(r(m), m, Range(k)), k, Range(n))
    - n * B.bind_sum(r(m), m, Range(n)),
    "Inv is not additive": Inv(x + y) - Inv(x) - Inv(y),
    "exp is not additive": Exp(x + y) - Exp(x) - Exp(y),
}


@pytest.mark.parametrize("name", GOOD)
def test_an_identity_is_found(name: str) -> None:
    assert zero(GOOD[name])
    assert refuted([], Eq(GOOD[name], 0), models(20)) is None


@pytest.mark.parametrize("name", BAD)
def test_a_false_equality_is_refused(name: str) -> None:
    assert not zero(BAD[name])


@pytest.mark.parametrize("name", [n for n in BAD if n not in ("half", "size one", "strictly more")])
def test_a_false_equality_has_a_counterexample(name: str) -> None:
    """The list above is of false statements: each has a model that shows it."""
    assert refuted([], Eq(BAD[name], 0), [Model(seed) for seed in range(80)]) is not None


@pytest.mark.parametrize(
    ("e", "facts"),
    [
        (x * Inv(x) - 1, [Lt(0, x)]),
        (x * Inv(x) - 1, [nonzero(x)]),
        (x * Inv(x) - 1, [Lt(x, 0)]),
        (Log(x * Inv(y)) - Log(x) + Log(y), [Lt(0, x), Lt(0, y)]),
        (Exp(2 * Log(x)) - x**2, [Lt(0, x)]),
        (Exp(-n * Log(x)) - Inv(x) ** n, [Lt(0, x)]),
        ((1 - x) * Inv(1 - x) - 1, [Lt(x, 1)]),
        (Inv(1 - x) - 1 - x * Inv(1 - x), [Lt(x, 1)]),
        (Inv(x) + Inv(y) - (x + y) * Inv(x * y), [Lt(0, x), Lt(0, y)]),
        (S(F(a)) * Inv(S(F(a))) - 1, [B.for_all([a], Lt(0, F(a)))]),
        (S(F(a) * Inv(F(a))) - K.Card(X), [B.for_all([a], Lt(0, F(a)))]),
        (Log(x**n) - n * Log(x), [Lt(0, x)]),
    ],
    ids=str,
)
def test_an_identity_needs_its_sign(e: Any, facts: list[K.Formula]) -> None:
    """Found with the fact, refused without it."""
    assert zero(e, *facts)
    assert not zero(e)


@pytest.mark.parametrize(
    ("e", "facts"),
    [
        (x * Inv(x) - 1, [K.Le(0, x)]),
        (x * Inv(x) - 1, [Lt(0, y)]),
        (F(a) * Inv(F(a)) - 1, [Lt(0, F(b))]),
        (S(F(a) * Inv(F(a))) - K.Card(X), [Lt(0, F(a))]),
        (S(F(a) * Inv(F(a))) - K.Card(X), [K.Imp(Lt(0, x), B.for_all([a], Lt(0, F(a))))]),
        (B.bind_sum(r(n) * Inv(r(n)), n, Range(m)) - m, [Lt(0, r(n))]),
        (Log(x**n) - n * Log(x), [Lt(0, x**n)]),
        (Log(x * y) - Log(x) - Log(y), [Lt(0, x * y)]),
        (Exp(Log(x)) - x, [Lt(0, x**2)]),
        ((1 - x) * Inv(1 - x) - 1, [K.Le(x, 1)]),
        (x * Inv(x) - 1, [K.Imp(Eq(x, 0), Lt(0, 1))]),
        (x * Inv(x) - 1, [K.Imp(Eq(x, 1), Lt(0, 0))]),
        (x * Inv(x) - 1, [K.Imp(K.Le(x, 0), K.Imp(Lt(0, 0), Lt(0, 0)))]),
    ],
    ids=str,
)
def test_another_fact_does_not_help(e: Any, facts: list[K.Formula]) -> None:
    assert not zero(e, *facts)


# --- axioms behind the normal form


def test_laws_of_exp_are_reported() -> None:
    """With exp = 0 the addition law holds, and exp 0 = 1 does not: positivity must be reported."""
    nothing = [Model(seed, exp=lambda _: 0) for seed in range(3)]
    laws = {"exponential_of_sum": B.for_all([x, y], Eq(Exp(x + y), Exp(x) * Exp(y)))}
    assert all(model.holds(laws["exponential_of_sum"]) is not False for model in nothing)
    for e in (
        Exp(Integer(0)) - 1,
        Exp(x) * Inv(Exp(x)) - 1,
        Exp(x) ** n - Exp(n * x),
        Exp(x) * Exp(-x) - 1,
    ):
        norm = Normaliser()
        assert norm.is_zero(e)
        assert norm.used - {"exponential_of_sum"}, e


def test_a_law_used_in_reading_a_fact_is_reported() -> None:
    u = Exp(x + y) - 1
    norm = Normaliser([Lt(0, Exp(x) * Exp(y) - 1)])
    assert norm.is_zero(u * Inv(u) - 1) and "exponential_of_sum" in norm.used


def test_nothing_is_reported_for_the_ring() -> None:
    norm = Normaliser([Lt(0, x)])
    assert norm.is_zero((x + y) ** 2 * Inv(x) * x - x**2 - 2 * x * y - y**2)
    assert norm.used == set()


# --- the shapes that were once wrong


@pytest.mark.parametrize(
    "t",
    [
        Inv(Inv(F(a) + g(a))) * x,
        Inv(Inv(S(F(a)))) * y,
        (x / 2) ** n,
        Rational(1, 2) ** n + y,
        Rational(-2, 3) ** (n + 1),
        f(Exp(x / 2)),
        Exp(Rational(3, 2) * x + y),
        S(F(a)) ** 2 * Inv(S(F(a))),
        S(Delta(a, b) * G(a, b) * Inv(S(G(a, b), b)), a),
        Inv(x * Inv(x)) + x * Inv(x),
        Add(*[Inv(x + j) for j in range(3)]),
        B.bind_sum(B.bind_sum(r(m) * r(k), m, Range(k)), k, Range(n)),
        K.Max(X, B.close_body(a, F(a) + F(a) * 0 + Exp(Integer(0)))),
        K.Series(B.close_body(n, x**n + x**n)),
        Max2(x * (y + 1), x * y + x),
        Fn("q", REAL, Fin("X"))(a) * K.Card(X) ** n,
    ],
    ids=str,
)
def test_an_awkward_term_has_a_stable_normal_form(t: Any) -> None:
    made = Normaliser().term(t)
    assert B.check(made) == made
    assert Normaliser().term(made) == made
    assert zero(made - t)


def test_keys_do_not_confuse_tags() -> None:
    """The prototype's keys of "5" and "000005" were one string."""
    s, t = Var("5", X), Var("000005", X)
    assert not zero(F(s) - F(t))
    assert zero(F(s) * F(t) - F(t) * F(s))
    assert Normaliser().term(F(s) * g(t) + F(t) * g(s)) == Normaliser().term(
        g(s) * F(t) + g(t) * F(s)
    )


def test_c_is_only_used_for_other_sets() -> None:
    """Sums over two sets do not mix even when the sizes could agree."""
    assert not zero(S(x) - B.bind_sum(x, c, Y))
