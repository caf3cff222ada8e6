"""Maxima of two and of many: uses, forgeries of each side condition, attempts to capture."""

from __future__ import annotations

from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Eq,
    Le,
    Lt,
    Max,
    Max2,
    Var,
)
from tests.derivations.kernel.applying import (
    FALSE,
    F,
    G,
    X,
    a,
    assume,
    b,
    m,
    n,
    refused,
    use,
    x,
    y,
    z,
)

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
