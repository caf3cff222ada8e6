"""The statement lint: every reciprocal and logarithm is well-defined, or a factor of zero."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Eq, Exp, Imp, Inv, Le, Log, Lt
from derivations.language.lint import undefined
from derivations.language.probability import KL, rel_entr
from derivations.language.reasons import Hypothesis
from derivations.language.syntax import Equal, functions, log, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import prove, theorem
from tests.derivations.kernel.applying import F, X, a, n, nonzero, x, y, z

p, q = functions("p q", "A")
e = members("A", "e")
some = Lt(0, x)
P = B.for_all([e], Le(0, p(e)))
Q = B.for_all([e], Lt(0, q(e)))
P_FULL = B.for_all([e], Lt(0, p(e)))

GOOD: list[tuple[Any, list[Any]]] = [
    (Eq(Inv(x), y), [Lt(0, x)]),
    (Eq(Inv(x), y), [Lt(x, 0)]),
    (Eq(Inv(x), y), [nonzero(x)]),
    (Eq(Inv(1 - x), y), [Lt(x, 1)]),
    (Eq(Log(x), y), [Lt(0, x)]),
    (Eq(Log(Exp(x)), x), []),
    (Eq(Inv(Exp(x)), y), []),
    (Eq(Inv(K.Card(X)), y), []),
    (Eq(Inv(1 + x**2), y), []),
    (Imp(Lt(0, x), Eq(Log(x), y)), []),
    (Imp(nonzero(x), Eq(Inv(x) * x, 1)), []),
    (B.for_all([x], Imp(Lt(0, x), Le(Log(x), x - 1))), []),
    (Eq(KL(p, q, e), 0), [P, Q]),
    (Eq(rel_entr(p(e), q(e)), 0), [P, Q]),
    (Eq(x**2 * Log(x), y), [Le(0, x)]),
    (Eq(B.bind_sum(Log(F(a)), a, X), y), [B.for_all([a], Lt(0, F(a)))]),
    (K.Lim(K.Near(y), B.close_body(x, Inv(x - y)), z), []),
    (K.Lim(K.Right(), B.close_body(x, Log(x)), z), []),
    (Eq(x, y), []),
]

BAD: list[tuple[Any, list[Any]]] = [
    (Eq(Inv(x), y), []),
    (Eq(Inv(x), y), [Le(0, x)]),
    (Eq(Inv(x), y), [Lt(0, y)]),
    (Eq(Inv(x) * x, 1), []),
    (Eq(Log(x), y), []),
    (Eq(Log(x), y), [Le(0, x)]),
    (Eq(Log(x), y), [nonzero(x)]),
    (Eq(Log(x * y), z), [Lt(0, x)]),
    (Eq(Inv(Log(x)), z), [Lt(0, x)]),
    (Eq(Inv(Integer(0)), 0), []),
    (Eq(Log(Integer(-1)), y), []),
    (Imp(Eq(Log(x), y), Lt(0, x)), []),
    (Imp(Le(0, x), Eq(Inv(x), y)), []),
    (Eq(KL(p, q, e), 0), [P]),
    (Eq(KL(p, q, e), 0), [Q]),
    (Eq(rel_entr(p(e), q(e)), 0), [P, B.for_all([e], Le(0, q(e)))]),
    (Eq(rel_entr(p(e), q(e)) + log(p(e)), 0), [P, Q]),
    (Eq(log(p(e) / q(e)), 0), [P, Q]),
    (Eq(x * Log(y), z), [Le(0, x)]),
    (Eq(x**n * Log(x), y), [Le(0, x)]),  # x^0 is 1, where x = 0 too
    (K.Lim(K.Near(y), B.close_body(x, Inv(x)), z), []),
    (K.Lim(K.Infinity(), B.close_body(K.Var("n", K.NAT), Inv(K.Var("n", K.NAT))), z), []),
    (B.for_all([x], Eq(Inv(x), y)), [Lt(0, x)]),
    (B.for_all([x], Eq(Log(x), y)), []),
    (K.HasD(B.close_body(x, Log(y)), z, z), []),
]


@pytest.mark.parametrize(("formula", "facts"), GOOD, ids=str)
def test_a_good_statement_passes(formula: Any, facts: list[Any]) -> None:
    assert undefined(formula, facts) == []


@pytest.mark.parametrize(("formula", "facts"), BAD, ids=str)
def test_a_bad_statement_is_pointed_out(formula: Any, facts: list[Any]) -> None:
    found = undefined(formula, facts)
    assert found and all(isinstance(t, (Inv, Log)) for t in found)


def test_a_true_but_ill_defined_theorem_is_refused() -> None:
    """x^2 Inv(x) = x holds for total functions, and is no statement about division."""

    @theorem(says=lambda: {"it": Equal(x * x / x, x)})
    def careless() -> None:
        claim(Equal(x * x / x, x), by())

    found = prove(careless)
    assert found.status == "refused" and found.refusal is not None
    assert "well-defined" in found.refusal.message


def test_the_same_theorem_with_its_hypothesis_is_proved() -> None:
    positive = Hypothesis("x > 0", some)

    @theorem(says=lambda: {"it": Equal(x * x / x, x)}, given=[positive])
    def careful() -> None:
        claim(Equal(x * x / x, x), by(positive))

    assert prove(careful).status == "proved"


def test_a_hypothesis_must_be_well_defined_too() -> None:
    strange = Hypothesis("log x = y", Eq(Log(x), y))

    @theorem(says=lambda: {"it": Equal(x + y, y + x)}, given=[strange])
    def odd() -> None:
        claim(Equal(x + y, y + x), by(strange))

    assert prove(odd).status == "refused"
