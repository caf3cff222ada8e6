"""Signs: what is proved positive, non-negative or non-zero is so on every model."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sympy import Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.signs import Signs
from derivations.kernel.terms import (
    REAL,
    Delta,
    Eq,
    Exp,
    Fn,
    Imp,
    Inv,
    Le,
    Log,
    Lt,
    Max,
    Max2,
    Range,
    Var,
    Words,
)
from tests.derivations.kernel.applying import FALSE, F, X, a, b, f, m, n, nonzero, x, y, z
from tests.derivations.kernel.evaluate import Model, refuted
from tests.derivations.kernel.random_terms import Source


def signs(*facts: Any) -> Signs:
    return Normaliser(facts).signs


def claims(t: Any, s: Signs) -> list[Any]:
    """What the signs of t claim, as formulas."""
    made = [Lt(0, t)] if s.positive(t) else []
    made += [Le(0, t)] if s.nonneg(t) else []
    return made + ([nonzero(t)] if s.nonzero(t) else [])


def test_claimed_signs_are_true_on_models() -> None:
    claimed = 0
    for seed in range(500):
        rng = Random(seed)
        source = Source(rng)
        t = source.real(rng.choice([1, 2, 3]))
        facts = [source.fact(rng.choice([0, 0, 1])) for _ in range(rng.choice([0, 1, 2]))]
        for claim in claims(t, signs(*facts)):
            claimed += 1
            models = [Model(10 * seed + i, largest=2) for i in range(6)]
            assert refuted(facts, claim, models) is None, (seed, claim, facts)
    assert claimed > 150


@pytest.mark.parametrize(
    "t",
    [
        Exp(x),
        K.Card(X),
        Integer(3),
        1 + x**2,
        Exp(x) + n,
        Inv(Exp(x)),
        Max2(x, Exp(y)),
        Exp(x) ** n,
        B.bind_sum(Exp(F(a)), a, X),
        B.bind_sum(Integer(1), Var("w", K.WordsOf(X)), Words(X, n)),
        Exp(x) * K.Card(X),
    ],
    ids=str,
)
def test_positive_by_itself(t: Any) -> None:
    assert signs().positive(t) and signs().nonneg(t) and signs().nonzero(t)


@pytest.mark.parametrize(
    "t",
    [
        x,
        n,
        x**2,
        n * m,
        Log(x),
        Delta(a, b),
        Max2(x, -x),
        Integer(0),
        Integer(-1),
        x * Inv(x),
        Max2(x, y),
        n - 1,
        x**3,
        x**n,
        B.bind_sum(Exp(f(m)), m, Range(n)),
        B.bind_sum(Exp(f(m)), m, Range(n + 1)) - 1,
        Max(X, B.close_body(a, F(a))),
        Exp(x) - 1,
        -Exp(x),
        Rational(-1, 3),
    ],
    ids=str,
)
def test_not_positive_by_itself(t: Any) -> None:
    assert (not signs().positive(t) and not signs().nonzero(t)) or t in (
        -Exp(x),
        Integer(-1),
        Rational(-1, 3),
    )
    assert not signs().positive(t)


@pytest.mark.parametrize(
    "t",
    [
        n,
        n * m + 1,
        x**2,
        (x - y) ** 4,
        Delta(a, b),
        Max2(x, -x),
        Max2(x - y, y - x),
        Max2(n, x),
        Inv(n),
        B.bind_sum(F(a) ** 2, a, X),
        n**m,
    ],
    ids=str,
)
def test_nonnegative_by_itself(t: Any) -> None:
    assert signs().nonneg(t)


@pytest.mark.parametrize(
    "t",
    [
        x,
        x**3,
        x**n,
        x * y,
        -n,
        n - m,
        Max2(x, y),
        Inv(x),
        Log(2 + n),
        F(a),
        B.bind_sum(F(a), a, X),
        Integer(-1),
        Max2(x, 1 - x) - 1,
        x**2 - 1,
        -(x**2),
    ],
    ids=str,
)
def test_not_nonnegative_by_itself(t: Any) -> None:
    assert not signs().nonneg(t)


@pytest.mark.parametrize(
    ("t", "facts"),
    [
        (x, [Lt(0, x)]),
        (x, [Lt(0, 2 * x)]),
        (1 - x, [Lt(x, 1)]),
        (F(b), [B.for_all([a], Lt(0, F(a)))]),
        (x * y, [Lt(0, x), Lt(0, y)]),
        (x * y, [Lt(x, 0), Lt(y, 0)]),
        (x**n, [Lt(0, x)]),
        (B.bind_sum(F(a), a, X), [B.for_all([a], Lt(0, F(a)))]),
        (x + y, [Lt(0, x), Le(0, y)]),
        (Inv(x), [Lt(0, x)]),
        (x - y, [Lt(y, x)]),
    ],
    ids=str,
)
def test_positive_by_a_fact(t: Any, facts: list[Any]) -> None:
    assert signs(*facts).positive(t) and not signs().positive(t)


@pytest.mark.parametrize(
    ("t", "facts"),
    [
        (x, [Le(0, x)]),
        (x, [Lt(0, y)]),
        (x, [Lt(x, 0)]),
        (x, [nonzero(x)]),
        (x, [Lt(0, -2 * x)]),
        (F(a), [Lt(0, F(b))]),
        (B.bind_sum(F(a), a, X), [Lt(0, F(a))]),
        (x, [Imp(FALSE, Lt(0, x))]),
        (x, [Imp(Lt(0, y), Lt(0, x))]),
        (x * y, [Lt(0, x), Lt(y, 0)]),
        (x * y * z, [Lt(x, 0), Lt(y, 0), Lt(z, 0)]),
        (x, [B.for_all([n], Lt(0, f(n)))]),
        (f(x), [B.for_all([n], Lt(0, f(n)))]),
        (f(n - 1), [B.for_all([n], Lt(0, f(n)))]),
        (x + y, [Lt(0, x)]),
        (Max2(x, y) - x, [Lt(0, x)]),
        (B.bind_sum(f(m), m, Range(n)), [B.for_all([m], Lt(0, f(m)))]),
        (x, [Lt(0, x**2)]),
        (x, [Lt(0, x**3)]),
        (x, [Lt(0, x**n)]),
        (x, [Eq(x, 1)]),
        (x, [B.for_all([y], Imp(Lt(0, x), Lt(0, x)))]),
    ],
    ids=str,
)
def test_not_positive_by_another_fact(t: Any, facts: list[Any]) -> None:
    assert not signs(*facts).positive(t)


def test_nonzero_by_a_fact_of_the_right_form_only() -> None:
    assert signs(nonzero(x)).nonzero(x)
    for fact in (
        Imp(Eq(x, 0), Lt(0, 1)),
        Imp(Eq(x, 0), Le(0, 0)),
        Imp(Eq(x, 1), FALSE),
        Imp(Le(x, 0), FALSE),
        nonzero(x + 1),
        Imp(FALSE, nonzero(x)),
    ):
        assert not signs(fact).nonzero(x), fact


def test_nonzero_of_products_and_powers() -> None:
    s = signs(nonzero(x), nonzero(y))
    assert s.nonzero(x * y) and s.nonzero(x**n) and s.nonzero(Inv(x)) and s.nonzero(x * Inv(y))
    assert not s.nonzero(x + y) and not s.nonzero(x * z)


def test_the_axioms_behind_a_sign_are_reported() -> None:
    s = signs()
    assert s.positive(Exp(x) * K.Card(X)) and "exponential_is_positive" in s.used
    s = signs(Lt(0, x))
    assert s.positive(x) and s.used == set()


def test_cited_facts_are_the_ones_that_were_needed() -> None:
    s = signs(Lt(0, x), Lt(0, y))
    assert s.positive(x**2 * x)
    assert s.cited == {Lt(0, x)}


def test_a_fact_for_all_values_of_a_function_s_argument_is_not_for_all_functions() -> None:
    g = Fn("g", REAL, X)
    assert not signs(B.for_all([a], Lt(0, F(a)))).positive(g(a))
