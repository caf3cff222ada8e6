"""Assumption, implication and quantifiers: uses, forgeries of each side condition, capture."""

from __future__ import annotations

import pytest
from sympy import Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import REAL, All, Bound, Eq, Imp, Lam, Le, Lt, Var
from tests.derivations.kernel.applying import (
    FALSE,
    F,
    X,
    a,
    assume,
    b,
    c,
    f,
    n,
    proved,
    refused,
    use,
    x,
    y,
    z,
)

# --- assume, discharge, modus_ponens


def test_assume() -> None:
    assert use("assume", formula=Le(x, y)) == (frozenset([Le(x, y)]), Le(x, y), frozenset())


def test_assume_refuses_a_term_and_a_sort() -> None:
    refused("assume", formula=x)
    refused("assume", formula=X)


def test_assume_refuses_premises() -> None:
    refused("assume", assume(Le(x, y)), formula=Le(x, y))


def test_assume_refuses_what_is_not_closed() -> None:
    refused("assume", formula=Le(Bound(0, REAL), y))
    refused("assume", formula=Le(K.Slot(0, REAL), y))


def test_assume_captures_nothing() -> None:
    """A free x beside a bound x stays free."""
    bound = B.for_all([x], Le(x, y))
    assert use("assume", formula=Imp(bound, Le(x, y))).concl != Imp(bound, bound)
    assert B.variables(use("assume", formula=bound).concl) == {y}


def test_discharge() -> None:
    made = use("discharge", assume(Le(x, y)), formula=Le(x, y))
    assert made == (frozenset(), Imp(Le(x, y), Le(x, y)), frozenset())


def test_discharge_of_something_else_keeps_the_hypothesis() -> None:
    made = use("discharge", assume(Le(x, y)), formula=Lt(x, y))
    assert made.hyps == {Le(x, y)}


def test_discharge_refuses_a_term() -> None:
    refused("discharge", assume(Le(x, y)), formula=x)


def test_discharge_refuses_two_premises() -> None:
    refused("discharge", assume(Le(x, y)), assume(Le(x, y)), formula=Le(x, y))


def test_discharge_captures_nothing() -> None:
    """Discharging for all x: p does not remove the hypothesis p(x)."""
    made = use("discharge", assume(Le(x, y)), formula=B.for_all([x], Le(x, y)))
    assert made.hyps == {Le(x, y)}


def test_modus_ponens() -> None:
    made = use("modus_ponens", assume(Imp(Le(x, y), Lt(x, z))), assume(Le(x, y)))
    assert made.concl == Lt(x, z) and made.hyps == {Imp(Le(x, y), Lt(x, z)), Le(x, y)}


def test_modus_ponens_refuses_what_is_no_implication() -> None:
    refused("modus_ponens", assume(Le(x, y)), assume(Le(x, y)))


def test_modus_ponens_refuses_another_antecedent() -> None:
    refused("modus_ponens", assume(Imp(Le(x, y), FALSE)), assume(Le(y, x)))
    refused("modus_ponens", assume(Imp(Lt(x, y), FALSE)), assume(Le(x, y)))


def test_modus_ponens_refuses_the_converse() -> None:
    refused("modus_ponens", assume(Imp(Le(x, y), Lt(x, z))), assume(Lt(x, z)))


def test_modus_ponens_captures_nothing() -> None:
    """for all x: x <= y is not for all x: x <= x."""
    imp = assume(Imp(B.for_all([x], Le(x, y)), FALSE))
    refused("modus_ponens", imp, assume(B.for_all([x], Le(x, x))))
    assert use("modus_ponens", imp, assume(B.for_all([z], Le(z, y)))).concl == FALSE


# --- generalise, specialise


def test_generalise() -> None:
    made = use("generalise", proved(x + y, y + x), variable=x)
    assert made.concl == B.for_all([z], Eq(z + y, y + z))


def test_generalise_refuses_a_variable_of_a_hypothesis() -> None:
    refused("generalise", assume(Le(x, y)), variable=x)
    refused("generalise", assume(Le(F(a), y)), variable=a)


def test_generalise_allows_a_variable_that_is_bound_in_a_hypothesis() -> None:
    bound = B.for_all([x], Le(x, y))
    assert use("generalise", assume(bound), variable=x).concl == B.for_all([x], bound)


def test_generalise_refuses_what_is_no_variable() -> None:
    for t in (Integer(0), x + y, X, f, Bound(0, REAL)):
        refused("generalise", proved(x, x), variable=t)


def test_generalise_keeps_variables_of_other_sorts_apart() -> None:
    made = use("generalise", proved(n, n), variable=Var("n", REAL))
    assert made.concl == All(REAL, Eq(n, n))


def test_generalise_captures_nothing() -> None:
    """The inner binder of the same name stays what it was."""
    inner = B.bind_sum(F(a), a, X)
    made = use("generalise", proved(F(a) * inner, inner * F(a)), variable=a)
    assert made.concl == B.for_all([b], Eq(F(b) * inner, F(b) * inner))


def test_specialise() -> None:
    every = use("generalise", proved(x + y, y + x), variable=x)
    assert use("specialise", every, term=z**2).concl == Eq(z**2 + y, y + z**2)


def test_specialise_takes_a_natural_for_a_real() -> None:
    assert use("specialise", assume(B.for_all([x], Le(x, y))), term=n).concl == Le(n, y)


def test_specialise_refuses_a_real_for_a_natural() -> None:
    every = assume(B.for_all([n], Le(0, n)))
    for t in (x, Integer(-1), Rational(1, 2), n - 1, -n, K.Inv(n), K.Card(X)):
        refused("specialise", every, term=t)


def test_specialise_refuses_another_sort() -> None:
    refused("specialise", assume(B.for_all([a], Le(F(a), y))), term=c)
    refused("specialise", assume(B.for_all([a], Le(F(a), y))), term=n)


@pytest.mark.parametrize(
    "t", [X, Eq(x, y), f, K.Near(x), K.Range(n), REAL, Lam(REAL, Bound(0, REAL))]
)
def test_specialise_refuses_what_is_no_term(t: object) -> None:
    refused("specialise", assume(B.for_all([x], Le(f(x), y))), term=t)


def test_specialise_refuses_what_is_not_universal() -> None:
    refused("specialise", assume(Le(x, y)), term=z)
    refused("specialise", assume(Imp(B.for_all([x], Le(x, y)), FALSE)), term=z)


def test_specialise_captures_nothing() -> None:
    """SymPy: Sum(x[j]*x[i], (i, 1, 2)).subs(j, i) gives the sum of squares."""
    every = assume(B.for_all([b], Eq(B.bind_sum(F(a) * F(b), a, X), y)))
    made = use("specialise", every, term=a).concl
    assert made == Eq(B.bind_sum(F(Var("i", X)) * F(a), Var("i", X), X), y)
    assert made != Eq(B.bind_sum(F(a) ** 2, a, X), y)
