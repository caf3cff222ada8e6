"""Induction on naturals and on words: uses, forgeries of each side condition, capture."""

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
    Snoc,
    Var,
    WordsOf,
)
from tests.derivations.kernel.applying import (
    F,
    X,
    a,
    assume,
    b,
    c,
    f,
    m,
    n,
    proved,
    refused,
    use,
    w,
    x,
    y,
)

W = Fn("W", REAL, WordsOf(X))


# --- induction, word_induction


def step_of(goal: K.Formula, v: Var, after: object, *letters: Var) -> Sequent:
    """goal |- goal[v := after], from "for all v (and letters)"."""
    there = assume(B.for_all([v, *letters], Imp(goal, B.substitute(goal, {v: after}))))
    for t in (v, *letters):
        there = use("specialise", there, term=t)
    return use("modus_ponens", there, assume(goal))


def test_induction() -> None:
    goal = Le(f(n), x)
    base, step = assume(Le(f(Integer(0)), x)), step_of(goal, n, n + 1)
    made = use("induction", base, step, variable=n, formula=goal)
    assert made.concl == B.for_all([n], goal)
    assert made.hyps == base.hyps | (step.hyps - {goal})


def test_induction_refuses_another_base() -> None:
    goal = Le(f(n), x)
    for q in (Le(f(Integer(1)), x), Le(f(n), x), Lt(f(Integer(0)), x)):
        refused("induction", assume(q), step_of(goal, n, n + 1), variable=n, formula=goal)


def test_induction_refuses_another_step() -> None:
    goal, base = Le(f(n), x), assume(Le(f(Integer(0)), x))
    for after in (n + 2, 2 * n, m + 1, Integer(1), n):
        refused("induction", base, assume(Le(f(after), x)), variable=n, formula=goal)


def test_induction_refuses_the_variable_in_a_hypothesis() -> None:
    """n <= 0 |- ... would prove every n from n = 0."""
    goal, base = Le(f(n), x), assume(Le(f(Integer(0)), x))
    refused("induction", base, assume(Le(f(n + 1), x)), variable=n, formula=goal)
    step = use("modus_ponens", assume(Imp(Le(n, 0), Le(f(n + 1), x))), assume(Le(n, 0)))
    refused("induction", base, step, variable=n, formula=goal)


def test_induction_refuses_a_real_or_a_letter() -> None:
    goal = Le(f(x), y)
    refused(
        "induction", assume(Le(f(Integer(0)), y)), step_of(goal, x, x + 1), variable=x, formula=goal
    )
    refused("induction", assume(Le(F(a), 0)), assume(Le(F(a), 0)), variable=a, formula=Le(F(a), 0))


def test_induction_captures_nothing() -> None:
    """A bound n of the formula is not the variable of the induction."""
    inner = B.bind_sum(f(n), n, K.Range(m))
    goal = Le(inner, x * n)
    base = assume(Le(inner, 0))
    made = use("induction", base, step_of(goal, n, n + 1), variable=n, formula=goal)
    assert made.concl == B.for_all([n], goal)
    moved = Le(B.bind_sum(f(n + 1), n, K.Range(m)), x * (n + 1))
    refused("induction", base, assume(moved), variable=n, formula=goal)


def test_word_induction() -> None:
    goal = Le(W(w), x)
    base, step = assume(Le(W(Nil(X)), x)), step_of(goal, w, Snoc(w, a), a)
    made = use("word_induction", base, step, variable=w, letter=a, formula=goal)
    assert made.concl == B.for_all([w], goal)


def test_word_induction_refuses_another_base_and_another_step() -> None:
    goal = Le(W(w), x)
    base, step = assume(Le(W(Nil(X)), x)), step_of(goal, w, Snoc(w, a), a)
    refused("word_induction", assume(Le(W(w), x)), step, variable=w, letter=a, formula=goal)
    refused(
        "word_induction",
        assume(Le(W(Snoc(Nil(X), a)), x)),
        step,
        variable=w,
        letter=a,
        formula=goal,
    )
    longer = assume(Le(W(Snoc(Snoc(w, a), a)), x))
    refused("word_induction", base, longer, variable=w, letter=a, formula=goal)


def test_word_induction_refuses_the_word_or_the_letter_in_a_hypothesis() -> None:
    goal, base = Le(W(w), x), assume(Le(W(Nil(X)), x))
    refused(
        "word_induction", base, assume(Le(W(Snoc(w, a)), x)), variable=w, letter=a, formula=goal
    )
    only = Eq(Delta(a, b), 1)
    every = Imp(only, Imp(goal, Le(W(Snoc(w, a)), x)))
    there = use("specialise", use("specialise", assume(B.for_all([w, a], every)), term=w), term=a)
    there = use("modus_ponens", use("modus_ponens", there, assume(only)), assume(goal))
    refused("word_induction", base, there, variable=w, letter=a, formula=goal)


def test_word_induction_refuses_the_letter_in_the_formula() -> None:
    """p(w) := W(w) <= F(a): the step would be for the letter that p mentions only."""
    goal = Le(W(w), F(a))
    step = step_of(goal, w, Snoc(w, a))
    refused("word_induction", assume(Le(W(Nil(X)), F(a))), step, variable=w, letter=a, formula=goal)


def test_word_induction_refuses_a_constant_letter_and_another_sort() -> None:
    goal, base = Le(W(w), x), assume(Le(W(Nil(X)), x))
    one = Fn("one", X)()
    step = step_of(goal, w, Snoc(w, one))
    with pytest.raises((K.Refused, AttributeError)):
        use("word_induction", base, step, variable=w, letter=one, formula=goal)
    refused("word_induction", base, step, variable=w, letter=c, formula=goal)
    refused("word_induction", base, step, variable=w, letter=n, formula=goal)


def test_word_induction_captures_nothing() -> None:
    goal = Le(W(w), B.bind_sum(F(a), a, X))
    base, step = assume(B.substitute(goal, {w: Nil(X)})), step_of(goal, w, Snoc(w, a), a)
    made = use("word_induction", base, step, variable=w, letter=a, formula=goal)
    assert made.concl == B.for_all([w], Le(W(w), B.bind_sum(F(b), b, X)))


def test_proved_is_needed_for_equal_letters_only() -> None:
    """delta is 1 on equal letters: the case that `by_letters` leaves out."""
    assert proved(Delta(a, a), 1).concl == Eq(Delta(a, a), 1)
