"""Case distinctions, maxima and induction: uses, forgeries of each side condition, capture."""

from __future__ import annotations

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import (
    REAL,
    Delta,
    Eq,
    Fn,
    Imp,
    Le,
    Lt,
    Nil,
    Pair,
    Prod,
    Snoc,
    Var,
    WordsOf,
)
from tests.derivations.kernel.applying import (
    F,
    G,
    X,
    Y,
    a,
    assume,
    b,
    c,
    f,
    n,
    p,
    refused,
    use,
    w,
    x,
    y,
    z,
)

H = Fn("H", REAL, Prod(X, Y))
W = Fn("W", REAL, WordsOf(X))


def both(case: K.Formula, goal: K.Formula) -> Sequent:
    """case |- goal, from case -> goal."""
    return use("modus_ponens", assume(Imp(case, goal)), assume(case))


# --- by_order


def test_by_order() -> None:
    goal = Le(z, x)
    made = use("by_order", both(Le(x, y), goal), both(Lt(y, x), goal), left=x, right=y)
    assert made.concl == goal
    assert made.hyps == {Imp(Le(x, y), goal), Imp(Lt(y, x), goal)}


def test_by_order_refuses_two_conclusions() -> None:
    refused("by_order", assume(Le(x, y)), assume(Lt(y, x)), left=x, right=y)


def test_by_order_keeps_other_hypotheses() -> None:
    """t < u and u < t leave t = u out; t <= u in both premises is one case twice."""
    goal = Le(z, x)
    made = use("by_order", both(Lt(x, y), goal), both(Lt(y, x), goal), left=x, right=y)
    assert Lt(x, y) in made.hyps and Lt(y, x) not in made.hyps
    made = use("by_order", both(Le(x, y), goal), both(Le(x, y), goal), left=x, right=y)
    assert Le(x, y) in made.hyps
    made = use("by_order", both(Lt(y, x), goal), both(Le(x, y), goal), left=x, right=y)
    assert {Lt(y, x), Le(x, y)} <= made.hyps


def test_by_order_captures_nothing() -> None:
    """The case x <= y with x free is not the case "for all x: x <= y"."""
    every, goal = B.for_all([x], Le(x, y)), Le(z, 0)
    made = use("by_order", both(every, goal), both(Lt(y, x), goal), left=x, right=y)
    assert every in made.hyps


# --- by_letters


def test_by_letters() -> None:
    goal = Le(F(a), F(b))
    made = use(
        "by_letters", assume(Le(F(b), F(b))), both(Eq(Delta(a, b), 0), goal), variable=a, other=b
    )
    assert made.concl == goal
    assert made.hyps == {Le(F(b), F(b)), Imp(Eq(Delta(a, b), 0), goal)}


def test_by_letters_refuses_another_case_of_equal_letters() -> None:
    goal = Le(F(a), F(b))
    other = both(Eq(Delta(a, b), 0), goal)
    refused("by_letters", assume(goal), other, variable=a, other=b)
    refused("by_letters", assume(Le(F(a), F(a))), other, variable=a, other=b)


def test_by_letters_refuses_another_sort() -> None:
    goal = Le(F(a), 0)
    refused("by_letters", assume(goal), assume(goal), variable=a, other=c)
    refused("by_letters", assume(Le(f(n), 0)), assume(Le(f(n), 0)), variable=n, other=x)


@pytest.mark.parametrize("t", [X, F, Integer(1), Nil(X)])
def test_by_letters_refuses_what_is_no_variable(t: object) -> None:
    refused("by_letters", assume(Le(F(a), 0)), assume(Le(F(a), 0)), variable=t, other=t)


def test_by_letters_keeps_the_other_hypotheses() -> None:
    goal = Le(F(a), F(b))
    other = both(Eq(Delta(a, Var("e", X)), 0), goal)
    made = use("by_letters", assume(Le(F(b), F(b))), other, variable=a, other=b)
    assert Eq(Delta(a, Var("e", X)), 0) in made.hyps
    made = use(
        "by_letters",
        both(Eq(Delta(a, b), 0), Le(F(b), F(b))),
        both(Eq(Delta(a, b), 0), goal),
        variable=a,
        other=b,
    )
    assert Eq(Delta(a, b), 0) in made.hyps


def test_by_letters_with_a_word_and_a_longer_one() -> None:
    goal = Le(W(w), 0)
    longer = Snoc(w, a)
    made = use("by_letters", assume(Le(W(longer), 0)), assume(goal), variable=w, other=longer)
    assert made.hyps == {Le(W(longer), 0), goal}


def test_by_letters_captures_nothing() -> None:
    """The bound a of the sum is not the letter a of the case."""
    goal = Le(B.bind_sum(G(a, b), a, X), F(a))
    equal = Le(B.bind_sum(G(a, b), a, X), F(b))
    other = both(Eq(Delta(a, b), 0), goal)
    assert use("by_letters", assume(equal), other, variable=a, other=b).concl == goal
    refused("by_letters", assume(Le(B.bind_sum(G(b, b), b, X), F(b))), other, variable=a, other=b)


# --- by_pairs


def letters(formula: K.Formula) -> Sequent:
    """formula at the pair (a, c), from "for all a, c"."""
    every = assume(B.for_all([a, c], B.substitute(formula, {p: Pair(a, c)})))
    return use("specialise", use("specialise", every, term=a), term=c)


def test_by_pairs() -> None:
    goal = Le(H(p), x)
    made = use("by_pairs", letters(goal), variable=p, first=a, second=c, formula=goal)
    assert made.concl == B.for_all([p], goal)


def test_by_pairs_refuses_letters_of_a_hypothesis() -> None:
    goal = Le(H(p), x)
    there = assume(Le(H(Pair(a, c)), x))
    refused("by_pairs", there, variable=p, first=a, second=c, formula=goal)


def test_by_pairs_refuses_letters_of_the_formula() -> None:
    goal = Le(H(p), F(a))
    refused("by_pairs", letters(goal), variable=p, first=a, second=c, formula=goal)


def test_by_pairs_refuses_one_letter_for_both() -> None:
    """Otherwise the diagonal would stand for all pairs."""
    q, D = Var("q", Prod(X, X)), Fn("D", REAL, Prod(X, X))
    there = use("specialise", assume(B.for_all([a], Le(D(Pair(a, a)), x))), term=a)
    refused("by_pairs", there, variable=q, first=a, second=a, formula=Le(D(q), x))


def test_by_pairs_refuses_constants() -> None:
    D = Fn("D", REAL, Prod(X, X))
    q, one = Var("q", Prod(X, X)), Fn("one", X)
    there = assume(Le(D(Pair(one(), one())), x))
    refused("by_pairs", there, variable=q, first=one(), second=one(), formula=Le(D(q), x))


def test_by_pairs_refuses_another_sort_and_another_premise() -> None:
    goal = Le(H(p), x)
    refused("by_pairs", letters(goal), variable=p, first=c, second=a, formula=goal)
    refused("by_pairs", letters(goal), variable=a, first=a, second=c, formula=goal)
    refused("by_pairs", letters(Le(H(p), y)), variable=p, first=a, second=c, formula=goal)


def test_by_pairs_captures_nothing() -> None:
    goal = Le(H(p), B.bind_sum(F(a), a, X))
    made = use("by_pairs", letters(goal), variable=p, first=a, second=c, formula=goal)
    assert made.concl == B.for_all([p], Le(H(p), B.bind_sum(F(b), b, X)))
