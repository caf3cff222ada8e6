"""Files that would keep the kernel busy for ever, identities that made it recurse, sizes fixed by a
relation of sizes, and hypotheses that are no formulas."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Integer

from derivations.kernel import terms as K
from derivations.kernel.certificate import replay_text
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import Inv
from tests.derivations.kernel.applying import assume, use, x, y
from tests.derivations.kernel.forger import Forger, rejected

# --- time


@pytest.mark.parametrize(("base", "power"), [("2", "-10000000000"), ("2", "20000000001/2")])
def test_a_huge_power_is_refused_before_it_is_computed(base: str, power: str) -> None:
    w = Forger()
    top, _, under = power.partition("/")
    t = w.node("Pow", w.node("Q", base, "1"), w.node("Q", top, under or "1"))
    assert "cannot be read" in rejected(w.text(w.true, w.reflexive(t)))


def test_the_logarithm_of_a_hard_number_stays_whole() -> None:
    """Two primes of 41 digits: nobody waits for them; small factors are still split off."""
    hard = Integer(10**40 + 121) * Integer(10**40 + 7057)
    left = K.Log(12 * hard)
    same = use("normal_form", left=left, right=K.Log(hard) + 2 * K.Log(2) + K.Log(3))
    assert same.concl == K.Eq(left, K.Log(hard) + 2 * K.Log(2) + K.Log(3))


def test_two_denominators_do_not_send_a_numerator_to_and_fro() -> None:
    """a^2 / ((a^2 + a b)(a + b)) = a / (a + b)^2 for a, b > 0."""
    facts = [assume(K.Lt(0, x)), assume(K.Lt(0, y))]
    left = x**2 * Inv(x**2 + x * y) * Inv(x + y)
    right = x * Inv(x + y) * Inv(x + y)
    assert use("normal_form", *facts, left=left, right=right).concl == K.Eq(left, right)


@pytest.mark.parametrize("numerator", [x**2, x * y, y**2])
def test_every_order_of_the_factors_ends(numerator: Any) -> None:
    norm = Normaliser([K.Lt(0, x), K.Lt(0, y)])
    for first, second in ((x, y), (y, x)):
        assert norm.term(numerator * Inv(first**2 + first * second) * Inv(first + second)) != 0


# --- sizes


def fixed(w: Forger, which: str) -> int:
    X, two = w.node("Fin", "X"), w.node("Q", "2", "1")
    card = w.node("Card", X)
    if which == "sum of ones":
        return w.node("Eq", w.node("Sum", X, w.one), two)
    if which == "less":
        return w.node("Lt", card, two)
    if which == "at most":
        return w.node("Le", card, two)
    if which == "not more than one":
        return w.node("Imp", w.node("Lt", w.one, card), w.false)
    b0, b1 = w.node("Bound", "0", X), w.node("Bound", "1", X)
    alike = w.node("Eq", w.node("Delta", b0, b1), w.one)
    return w.node("All", X, w.node("All", X, alike))


@pytest.mark.parametrize(
    "which", ["sum of ones", "less", "at most", "not more than one", "all members are one"]
)
def test_a_relation_of_sizes_alone_is_not_generic(which: str) -> None:
    w = Forger()
    assert replay_text(w.text(w.true, w.reflexive(w.x))).generic
    w = Forger()
    given = (fixed(w, which),)
    assert not replay_text(w.text(w.true, w.reflexive(w.x), given)).generic


def test_a_size_beside_a_symbol_is_generic() -> None:
    w = Forger()
    bound = w.node("Le", w.node("Card", w.node("Fin", "X")), w.x)
    assert replay_text(w.text(w.true, w.reflexive(w.x), (bound,))).generic


# --- formulas


def test_a_hypothesis_is_a_formula() -> None:
    for make in (
        lambda w: w.node("Lam", w.real, w.x),
        lambda w: w.real,
        lambda w: w.node("Range", w.node("Var", "n", w.natural)),
        lambda w: w.node("Infinity"),
        lambda w: w.x,
    ):
        w = Forger()
        assert "no formula" in rejected(w.text(w.true, w.reflexive(w.x), (make(w),)))


def test_the_mended_order_still_refuses_what_is_false() -> None:
    facts = [assume(K.Lt(0, x)), assume(K.Lt(0, y))]
    with pytest.raises(K.Refused):
        use("normal_form", *facts, left=x * Inv(x + y), right=y * Inv(x + y))
