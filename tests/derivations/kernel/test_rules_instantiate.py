"""Schematic symbols, contradiction and axioms: uses, forgeries, attempts to capture."""

from __future__ import annotations

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Eq, Fin, Fn, Imp, Lam, Le, Lt, Prod, Var
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
    n,
    proved,
    refused,
    use,
    x,
    y,
    z,
)

# --- instantiate


def test_instantiate_a_variable_a_function_and_a_set() -> None:
    s = assume(Eq(B.bind_sum(F(a) * x, a, X), y))
    square = Lam(Y, Fn("q", REAL, Y)(Bound(0, Y)) ** 2)
    made = use("instantiate", s, values={x: z, F: square, X: Y})
    q = Fn("q", REAL, Y)
    assert made.concl == Eq(B.bind_sum(q(c) ** 2 * z, c, Y), y)
    assert made.hyps == {made.concl}


def test_instantiate_a_set_by_a_product() -> None:
    made = use("instantiate", assume(Eq(B.bind_sum(F(a), a, X), y)), values={X: Prod(X, Y)})
    pair = Var("p", Prod(X, Y))
    assert made.concl == Eq(B.bind_sum(Fn("F", REAL, Prod(X, Y))(pair), pair, Prod(X, Y)), y)


def test_instantiate_is_simultaneous() -> None:
    assert use("instantiate", assume(Le(x, y)), values={x: y, y: x}).concl == Le(y, x)


def test_instantiate_changes_the_hypotheses_too() -> None:
    """Otherwise x = 0 |- x = 0 would give x = 0 |- 1 = 0."""
    made = use("instantiate", assume(Eq(x, 0)), values={x: Integer(1)})
    assert made.hyps == {Eq(1, 0)}


@pytest.mark.parametrize(
    "values",
    [
        {X: K.Range(n)},
        {X: K.Words(X, n)},
        {X: REAL},
        {X: K.WordsOf(X)},
        {X: x},
        {n: x},
        {n: Integer(-1)},
        {x: Eq(x, y)},
        {x: X},
        {x: f},
        {x: a},
        {a: c},
        {Integer(1): Integer(2)},
        {x + y: z},
        {K.Sum(X, F(Bound(0, X))): z},
        {REAL: NAT},
        {f: F},
        {f: x},
        {f: Lam(NAT, Bound(0, NAT))},
        {f: Lam(X, F(Bound(0, X)))},
        {f: Lam(REAL, Lam(REAL, Bound(0, REAL)))},
        {f: Lam(REAL, Eq(Bound(0, REAL), 0))},
        {f: Lam(REAL, Fin("X"))},
        {f: Lam(REAL, Bound(1, REAL))},
        {G: Lam(X, F(Bound(0, X)))},
        {Fn("h", NAT, NAT): Lam(NAT, Bound(0, NAT) - 1)},
        {a: Var("a", Y), X: Fin("U")},
        {F: F, X: Y},
    ],
    ids=str,
)
def test_instantiate_refuses_a_value_of_another_kind(values: dict[object, object]) -> None:
    h = Fn("h", NAT, NAT)
    everything = Eq(B.bind_sum(F(b) + G(b, a), b, X) + f(x) + n + h(n) + y, 0)
    refused("instantiate", assume(everything), values=values)


def test_instantiate_refuses_a_natural_that_turns_real_in_a_hypothesis() -> None:
    h = Fn("h", NAT, NAT)
    s = use("modus_ponens", assume(Imp(Eq(x ** h(n), 1), FALSE)), assume(Eq(x ** h(n), 1)))
    refused("instantiate", s, values={h: Lam(NAT, Bound(0, NAT) - 1)})


def test_instantiate_refuses_two_premises() -> None:
    refused("instantiate", assume(Le(x, y)), assume(Le(x, y)), values={x: y})


def test_instantiate_merging_two_variables_is_an_instance() -> None:
    """Sets of equal names: the variables a of X and a of Y become one, an instance."""
    other = Var("a", Y)
    s = assume(Eq(F(a), Fn("F", REAL, Y)(other)))
    made = use("instantiate", s, values={X: Y})
    assert made.concl == Eq(Fn("F", REAL, Y)(other), Fn("F", REAL, Y)(other))
    assert made.hyps == {made.concl}


def test_instantiate_captures_nothing() -> None:
    """SymPy: Sum(x*a, (a, 1, n)).subs(x, a) gives the sum of squares."""
    s = proved(B.bind_sum(x * F(a), a, X), x * B.bind_sum(F(a), a, X))
    made = use("instantiate", s, values={x: F(a)}).concl
    assert made == Eq(B.bind_sum(F(a) * F(b), b, X), F(a) * B.bind_sum(F(b), b, X))


def test_instantiate_a_function_that_mentions_a_bound_name_captures_nothing() -> None:
    s = assume(B.for_all([a], Eq(F(a), y)))
    made = use("instantiate", s, values={F: Lam(X, G(Bound(0, X), a))}).concl
    assert made == B.for_all([b], Eq(G(b, a), y))


def test_instantiate_nested_functions_shifts_indices() -> None:
    """f := v -> sum_b G(b, v) applied to a bound letter under another binder."""
    body = Lam(X, B.close_body(a, B.bind_sum(G(b, a), b, X)))
    s = assume(Eq(B.bind_sum(F(a), a, X), y))
    made = use("instantiate", s, values={F: body}).concl
    assert made == Eq(B.bind_sum(B.bind_sum(G(b, a), b, X), a, X), y)


# --- contradiction, axiom


def test_contradiction() -> None:
    assert use("contradiction", assume(Lt(x + 1, x)), formula=Eq(x, y)).concl == Eq(x, y)
    assert use("contradiction", assume(FALSE), formula=FALSE).concl == FALSE


def test_contradiction_refuses_what_may_hold() -> None:
    for p in (Lt(x, y), Lt(0, 1), Lt(x, x + 1), Lt(x, x * y * K.Inv(y)), Lt(0, -K.Exp(x))):
        refused("contradiction", assume(p), formula=FALSE)


def test_contradiction_refuses_a_weak_inequality() -> None:
    refused("contradiction", assume(Le(0, 0)), formula=FALSE)
    refused("contradiction", assume(Le(1, 0)), formula=FALSE)
    refused("contradiction", assume(Eq(1, 0)), formula=FALSE)


def test_contradiction_refuses_a_term() -> None:
    refused("contradiction", assume(FALSE), formula=x)


def test_contradiction_captures_nothing() -> None:
    absurd = Lt(B.bind_sum(F(a), a, X), B.bind_sum(F(b), b, X))
    assert use("contradiction", assume(absurd), formula=FALSE).concl == FALSE
    refused(
        "contradiction",
        assume(Lt(B.bind_sum(F(a) * F(b), a, X), B.bind_sum(F(a) ** 2, a, X))),
        formula=FALSE,
    )


def test_axiom() -> None:
    made = use("axiom", name="exponential_is_positive", about=None)
    assert made == (frozenset(), B.for_all([x], Lt(0, K.Exp(x))), {"exponential_is_positive"})


@pytest.mark.parametrize(
    "name", ["", "formula", "names", "_when", "when", "__name__", "Eq", "need", "pinsker", "B"]
)
def test_axiom_refuses_an_unknown_name(name: str) -> None:
    refused("axiom", name=name, about=None)


def test_axiom_refuses_premises() -> None:
    refused("axiom", assume(FALSE), name="exponential_is_positive", about=None)


@pytest.mark.parametrize("about", [None, x, Integer(1), X, Eq(x, y), REAL])
def test_axiom_refuses_what_is_no_filter(about: object) -> None:
    refused("axiom", name="limit_of_sum", about=about)


def test_axiom_captures_nothing() -> None:
    """The point of a filter must not fall under a quantifier of the axiom."""
    for name in (
        "limit_is_local",
        "limit_keeps_order",
        "limit_by_squeezing",
        "limit_of_finite_sum",
    ):
        for sort in (REAL, X):
            for tag in ("v", "a", "x", "n"):
                t = Var(tag, sort)
                point = t if sort == REAL else F(t)
                try:
                    made = use("axiom", name=name, about=K.Near(point)).concl
                except K.Refused:
                    continue
                near = [e for e in B.subterms(made) if isinstance(e, K.Near)]
                assert near and all(B.loose(e) == 0 for e in near), (name, point)
                assert FALSE not in [*B.subterms(made)], (name, point)
