"""The normal form: the same value on every model, idempotent, blind to names and order."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sympy import Mul

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import (
    NAT,
    REAL,
    Eq,
    Fn,
    Var,
)
from tests.derivations.kernel.applying import X, Y
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
    suppress_health_check=[HealthCheck.too_slow],
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
    factors = [
        Source(rng, ["add", "multiply", "delta", "inv", "exp"]).real(1, vs * 2) for _ in range(3)
    ]
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
