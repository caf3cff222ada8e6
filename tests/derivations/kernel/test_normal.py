"""The normal form: the same value on every model, idempotent, blind to names and order."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sympy import Add, Integer, Mul, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import NAT, REAL, Delta, Eq, Exp, Fin, Fn, Inv, Log, Lt, Max2, Range, Var, Words
from tests.derivations.kernel.applying import F, G, X, Y, a, b, c, f, k, m, n, nonzero, x, y, z
from tests.derivations.kernel.evaluate import Model, refuted
from tests.derivations.kernel.random_proofs import mutated
from tests.derivations.kernel.random_terms import Source

ROOT = Path(__file__).parents[3]
SEEDS = st.integers(0, 10**9)
QUICK = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],
)
g, h, r = Fn("g", REAL, X), Fn("h", REAL, X), Fn("r", REAL, NAT)


def zero(e: Any, *facts: K.Formula) -> bool:
    return Normaliser(facts).is_zero(e)


def some(seed: int) -> tuple[Any, list[Any]]:
    """A term and facts."""
    rng = Random(seed)
    source = Source(rng)
    t = source.real(rng.choice([2, 3, 3, 4]))
    return t, [source.fact(rng.choice([0, 0, 1])) for _ in range(rng.choice([0, 0, 1, 2]))]


def models(seed: int, count: int = 5) -> list[Model]:
    return [Model(10 * seed + i, largest=2) for i in range(count)]


# --- random terms


@QUICK
@given(SEEDS)
def test_the_value_is_kept(seed: int) -> None:
    t, facts = some(seed)
    made = Normaliser(facts).term(t)
    assert refuted(facts, Eq(t, made), models(seed)) is None, (t, made, facts)


@QUICK
@given(SEEDS)
def test_what_is_zero_is_zero(seed: int) -> None:
    """A term against a mutant of itself: when the kernel says equal, the values are."""
    t, facts = some(seed)
    other = mutated(Random(seed), t)
    if zero(t - other, *facts):
        assert refuted(facts, Eq(t, other), models(seed, 8)) is None, (t, other, facts)


@QUICK
@given(SEEDS)
def test_it_is_idempotent(seed: int) -> None:
    t, facts = some(seed)
    made = Normaliser(facts).term(t)
    assert Normaliser(facts).term(made) == made, (t, facts)


@QUICK
@given(SEEDS)
def test_it_is_a_term(seed: int) -> None:
    t, facts = some(seed)
    made = Normaliser(facts).term(t)
    assert B.check(made) == made
    assert B.variables(made) <= B.variables(t)


@QUICK
@given(SEEDS)
def test_binders_may_be_renamed_and_exchanged(seed: int) -> None:
    """sum_i sum_j t in every order of the binders, under every choice of their names."""
    rng = Random(seed)
    vs = [Var(f"i{j}", rng.choice([X, X, Y])) for j in range(rng.choice([2, 3]))]
    factors = [Source(rng, ["add", "multiply", "delta", "inv", "exp"]).real(1, vs * 2) for _ in range(3)]
    body = Mul(*factors)
    others = [Var(f"k{j}", v.sort) for j, v in enumerate(vs)]
    rng.shuffle(factors)
    renamed = B.substitute(Mul(*factors), dict(zip(vs, others, strict=True)))
    rng.shuffle(others)
    left = total(body, vs)
    assert Normaliser().term(left) == Normaliser().term(total(renamed, others))


def total(body: Any, vs: list[Var]) -> Any:
    for v in vs:
        body = B.bind_sum(body, v, v.sort)
    return body


@QUICK
@given(SEEDS)
def test_free_names_may_be_renamed(seed: int) -> None:
    """Renaming first or last is the same: no name has a meaning."""
    t, _ = some(seed)
    names = {v: Var(f"{v.tag}'", v.sort) for v in B.variables(t)}
    renamed = B.substitute(t, names)
    assert zero(Normaliser().term(renamed) - B.substitute(Normaliser().term(t), names))


@pytest.mark.long
@pytest.mark.parametrize("block", range(6))
def test_many_values_are_kept(block: int) -> None:
    for seed in range(5000 * block, 5000 * block + 1500):
        t, facts = some(seed)
        made = Normaliser(facts).term(t)
        assert refuted(facts, Eq(t, made), models(seed)) is None, (seed, t, made)


def test_a_wrong_normal_form_would_be_noticed() -> None:
    """The sampling has power: mutants that the kernel tells apart mostly differ in some model."""
    apart = found = 0
    for seed in range(150):
        t, _ = some(seed)
        other = mutated(Random(seed), t)
        if not zero(t - other):
            apart += 1
            found += refuted([], Eq(t, other), models(seed, 8)) is not None
    assert apart > 40 and found > 0.6 * apart, (apart, found)


# --- identities that must be found


def S(body: Any, *vs: Var) -> Any:
    return total(body, list(vs) or [a])


GOOD = {
    "renamed": S(F(a)) - S(F(b), b),
    "exchanged": S(G(a, b), a, b) - S(G(a, b), b, a),
    "factored": S(F(a) * g(b), a, b) - S(F(a)) * S(g(a)),
    "constant": S(x) - K.Card(X) * x,
    "delta": S(Delta(a, b) * F(a)) - F(b),
    "softmax Jacobian": S(Delta(a, b) * F(a) - F(a) * F(b)) - F(b) + F(b) * S(F(a)),
    "exp": Exp(x / 2) ** 2 - Exp(x),
    "one more": B.bind_sum(x**m, m, Range(n + 1)) - B.bind_sum(x**m, m, Range(n)) - x**n,
    "Lagrange": S((F(a) * g(b) - F(b) * g(a)) ** 2, a, b) - 2 * S(F(a) ** 2) * S(g(a) ** 2) + 2 * S(F(a) * g(a)) ** 2,
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
    "triangle of ranges": B.bind_sum(B.bind_sum(r(m), m, Range(k)), k, Range(Integer(3))) - 2 * r(Integer(0)) - r(Integer(1)),
}  # fmt: skip

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
    "delta outside words": B.bind_sum(Delta(Var("w", K.WordsOf(X)), Var("u", K.WordsOf(X))), Var("w", K.WordsOf(X)), Words(X, n)) - 1,
    "strictly more": Max2(x, y) - x,
    "size one": K.Card(X) - 1,
    "size of words": B.bind_sum(Integer(1), Var("w", K.WordsOf(X)), Words(X, n)) - K.Card(X) * n,
    "power of a sum": (x + y) ** n - x**n - y**n,
    "triangle transposed": B.bind_sum(B.bind_sum(r(m), m, Range(k)), k, Range(n)) - n * B.bind_sum(r(m), m, Range(n)),
    "Inv is not additive": Inv(x + y) - Inv(x) - Inv(y),
    "exp is not additive": Exp(x + y) - Exp(x) - Exp(y),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_an_identity_is_found(name: str) -> None:
    assert zero(GOOD[name])
    assert refuted([], Eq(GOOD[name], 0), models(1, 20)) is None


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
        (x * Inv(x) - 1, [Lt(0, x * y)]) if False else (x * Inv(x) - 1, [Lt(0, y)]),
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
    for e in (Exp(Integer(0)) - 1, Exp(x) * Inv(Exp(x)) - 1, Exp(x) ** n - Exp(n * x), Exp(x) * Exp(-x) - 1):
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


# --- speed, and independence of the hash seed


def test_seven_interchangeable_binders_are_fast() -> None:
    start = time.perf_counter()
    assert zero(S(F(a)) ** 7 - S(F(b), b) ** 7)
    distinct = [Fn(f"f{j}", REAL, X)(a) for j in range(7)]
    assert zero(Mul(*map(S, distinct)) - Mul(*map(S, reversed(distinct))))
    chain = [Var(f"v{j}", X) for j in range(7)]
    ring = Mul(*[G(chain[j], chain[(j + 1) % 7]) for j in range(7)])
    turned = Mul(*[G(chain[(j + 3) % 7], chain[(j + 4) % 7]) for j in range(7)])
    assert zero(total(ring, chain) - total(turned, chain[::-1]))
    assert time.perf_counter() - start < 3


PRINT = """
from tests.derivations.kernel.test_normal import *
import json
from derivations.kernel.certificate import content_hash
from derivations.library import find
from derivations.tactics.theorem import prove
for seed in range(60):
    t, facts = some(seed)
    print(Normaliser(facts).term(t))
for name in ("zero_sum_has_zero_terms", "a_mean_of_positives_is_positive"):
    proof = prove(find(name))
    print(proof.status, proof.main)
"""


def test_nothing_depends_on_the_hash_seed() -> None:
    def run(seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        made = subprocess.run([sys.executable, "-c", PRINT], env=env, cwd=ROOT, capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        return made.stdout

    first, second = run("1"), run("2")
    assert first.count("proved") == 2
    assert hashlib.sha256(first.encode()).digest() == hashlib.sha256(second.encode()).digest(), [
        pair for pair in zip(first.splitlines(), second.splitlines(), strict=True) if pair[0] != pair[1]
    ][:3]


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
    assert Normaliser().term(F(s) * g(t) + F(t) * g(s)) == Normaliser().term(g(s) * F(t) + g(t) * F(s))


def test_c_is_only_used_for_other_sets() -> None:
    """Sums over two sets do not mix even when the sizes could agree."""
    assert not zero(S(x) - B.bind_sum(x, c, Y))
