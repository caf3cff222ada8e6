"""Case distinctions, maxima and induction: uses, forgeries of each side condition, capture."""

from __future__ import annotations

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Delta,
    Eq,
    Fn,
    Imp,
    Le,
    Lt,
    Max,
    Max2,
    Nil,
    Pair,
    Prod,
    Snoc,
    Var,
    WordsOf,
)
from tests.derivations.kernel.applying import (
    FALSE,
    F,
    G,
    X,
    Y,
    a,
    assume,
    b,
    c,
    f,
    m,
    n,
    p,
    proved,
    refused,
    use,
    w,
    x,
    y,
    z,
)

H = Fn("H", REAL, Prod(X, Y))
W = Fn("W", REAL, WordsOf(X))


def both(case: K.Formula, goal: K.Formula) -> object:
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


def letters(formula: K.Formula) -> object:
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


# --- larger, by_larger, by_maximum


def test_larger() -> None:
    assert use("larger", left=x, right=y) == (frozenset(), Le(x, Max2(x, y)), frozenset())


def test_larger_refuses_premises_and_indices() -> None:
    refused("larger", assume(FALSE), left=x, right=y)
    refused("larger", left=a, right=b)
    refused("larger", left=Eq(x, y), right=y)


def test_larger_captures_nothing() -> None:
    t = B.bind_sum(F(a), a, X)
    assert use("larger", left=t, right=F(a)).concl == Le(t, Max2(t, F(a)))


def test_by_larger() -> None:
    made = use(
        "by_larger",
        assume(Le(x, y)),
        assume(Le(z, y)),
        variable=Var("h", REAL),
        formula=Le(Var("h", REAL), y),
        left=x,
        right=z,
    )
    assert made.concl == Le(Max2(x, z), y)


def test_by_larger_refuses_a_case_that_is_missing() -> None:
    h = Var("h", REAL)
    refused(
        "by_larger",
        assume(Le(x, y)),
        assume(Le(x, y)),
        variable=h,
        formula=Le(h, y),
        left=x,
        right=z,
    )
    refused(
        "by_larger",
        assume(Le(z, y)),
        assume(Le(z, y)),
        variable=h,
        formula=Le(h, y),
        left=x,
        right=z,
    )
    refused("by_larger", assume(Le(x, y)), variable=h, formula=Le(h, y), left=x, right=x)


def test_by_larger_refuses_naturals_and_letters() -> None:
    """max(n, m) is no natural term: it must not become a power or the size of a range."""
    cases = [assume(Eq(y**n, 1)), assume(Eq(y**m, 1))]
    i = Var("i", NAT)
    refused("by_larger", *cases, variable=i, formula=Eq(y**i, 1), left=n, right=m)
    refused(
        "by_larger",
        assume(Le(F(a), 0)),
        assume(Le(F(b), 0)),
        variable=Var("e", X),
        formula=Le(F(Var("e", X)), 0),
        left=a,
        right=b,
    )


def test_by_larger_captures_nothing() -> None:
    h = Var("h", REAL)
    goal = Le(B.bind_sum(h * G(a, b), a, X), y)
    cases = [assume(B.substitute(goal, {h: t})) for t in (F(a), x)]
    made = use("by_larger", *cases, variable=h, formula=goal, left=F(a), right=x)
    e = Var("e", X)
    assert made.concl == Le(B.bind_sum(Max2(F(a), x) * G(e, b), e, X), y)


HIGHEST = Max(X, B.close_body(a, F(a)))


def test_by_maximum() -> None:
    h = Var("h", REAL)
    each = assume(B.for_all([a], Le(F(a), y)))
    made = use("by_maximum", each, variable=h, formula=Le(h, y), maximum=HIGHEST)
    assert made.concl == Le(HIGHEST, y)
    assert made.axioms == {"finite_maximum_is_attained"}


def test_by_maximum_refuses_what_is_no_maximum() -> None:
    h = Var("h", REAL)
    each = assume(B.for_all([a], Le(F(a), y)))
    for t in (B.bind_sum(F(a), a, X), Max2(x, y), F(a), x):
        refused("by_maximum", each, variable=h, formula=Le(h, y), maximum=t)


def test_by_maximum_refuses_another_premise() -> None:
    h = Var("h", REAL)
    for q in (
        Le(F(a), y),
        B.for_all([a], Lt(F(a), y)),
        B.for_all([a], Le(G(a, a), y)),
        B.for_all([a], Le(F(b), y)),
    ):
        refused("by_maximum", assume(q), variable=h, formula=Le(h, y), maximum=HIGHEST)


def test_by_maximum_refuses_a_natural_hole() -> None:
    i = Var("i", NAT)
    refused(
        "by_maximum",
        assume(B.for_all([a], Eq(y, 1))),
        variable=i,
        formula=Eq(y**i, 1),
        maximum=HIGHEST,
    )


def test_a_maximum_over_a_range_or_words_is_no_term() -> None:
    """They may be empty, or SymPy's Max could be meant."""
    for over in (K.Range(n), K.Words(X, n)):
        refused("larger", left=Max(over, Integer(0)), right=x)


def test_by_maximum_captures_nothing() -> None:
    """p mentions a freely: "for all a: p(a, f(a))" is not what is wanted."""
    h = Var("h", REAL)
    formula = Le(h, F(a))
    e = Var("e", X)
    diagonal = assume(B.for_all([a], Le(F(a), F(a))))
    refused("by_maximum", diagonal, variable=h, formula=formula, maximum=HIGHEST)
    each = assume(B.for_all([e], Le(F(e), F(a))))
    assert use("by_maximum", each, variable=h, formula=formula, maximum=HIGHEST).concl == Le(
        HIGHEST, F(a)
    )


# --- induction, word_induction


def step_of(goal: K.Formula, v: Var, after: object, *letters: Var) -> object:
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
