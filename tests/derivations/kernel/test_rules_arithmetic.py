"""Arithmetic and finite sums: uses, forgeries of each side condition, attempts to capture."""

from __future__ import annotations

import pytest
from sympy import Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    REAL,
    Eq,
    Fn,
    Imp,
    Le,
    Lt,
    Prod,
    Range,
    Var,
    Words,
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
    f,
    g,
    k,
    m,
    n,
    proved,
    refused,
    use,
    x,
    y,
    z,
)

# --- arithmetic


def test_arithmetic() -> None:
    p, q = assume(Le(x, y)), assume(Lt(y, z))
    made = use("arithmetic", p, q, goal=Lt(x, z), combination=[(Integer(1), 0), (Integer(1), 1)])
    assert made.concl == Lt(x, z) and made.hyps == {Le(x, y), Lt(y, z)}
    made = use("arithmetic", goal=Le(2 * x * y, x**2 + y**2), squares=[(Integer(1), x - y)])
    assert made.hyps == frozenset()
    assert use("arithmetic", goal=Lt(0, K.Exp(x)), signs=[K.Exp(x)]).axioms == {
        "exponential_is_positive"
    }


def test_arithmetic_with_a_premise_that_is_the_goal() -> None:
    p = assume(Le(x, y))
    assert use("arithmetic", p, goal=p.concl, combination=[(Integer(1), 0)]).concl is not None


def test_arithmetic_refuses_a_goal_that_is_no_relation() -> None:
    refused("arithmetic", goal=Imp(FALSE, FALSE))
    refused("arithmetic", goal=B.for_all([x], Eq(x, x)))


@pytest.mark.parametrize("i", [-1, -2, 1, 2, 10**9])
def test_arithmetic_refuses_a_premise_that_is_not_there(i: int) -> None:
    refused("arithmetic", assume(Le(x, y)), goal=Le(x, y), combination=[(Integer(1), i)])


def test_arithmetic_refuses_a_premise_that_is_no_relation() -> None:
    p = assume(Imp(FALSE, Le(x, y)))
    refused("arithmetic", p, goal=Le(x, y), combination=[(Integer(1), 0)])
    p = assume(B.for_all([z], Le(z, y)))
    refused("arithmetic", p, goal=Le(x, y), combination=[(Integer(1), 0)])


@pytest.mark.parametrize("c", [Integer(-1), Rational(-1, 2), x, n - 1, -(x**2), K.Log(2), F(a)])
def test_arithmetic_refuses_a_multiplier_that_may_be_negative(c: object) -> None:
    assert K.is_real(c)
    refused("arithmetic", assume(Le(x, y)), goal=Le(c * x, c * y), combination=[(c, 0)])


def test_arithmetic_takes_any_multiplier_of_an_equation() -> None:
    p = assume(Eq(x, y))
    assert use("arithmetic", p, goal=Le(z * y, z * x), combination=[(-z, 0)]).concl


def test_arithmetic_refuses_an_equation_from_inequalities() -> None:
    refused("arithmetic", assume(Le(x, y)), goal=Eq(x, y), combination=[(Integer(1), 0)])
    refused("arithmetic", assume(Le(x, x)), goal=Eq(y, y), combination=[(Integer(1), 0)])
    refused("arithmetic", goal=Eq(0, x**2), squares=[(Integer(1), x)])
    refused("arithmetic", goal=Eq(0, K.Exp(x)), signs=[K.Exp(x)])


def test_arithmetic_refuses_a_square_or_a_term_of_unknown_sign() -> None:
    refused("arithmetic", goal=Le(0, x * y**2), squares=[(x, y)])
    refused("arithmetic", goal=Le(0, -(y**2)), squares=[(Integer(-1), y)])
    refused("arithmetic", goal=Le(0, x), signs=[x])
    refused("arithmetic", goal=Le(0, -1), signs=[Integer(-1)])


def test_arithmetic_refuses_a_strict_goal_without_something_strict() -> None:
    refused("arithmetic", assume(Le(x, y)), goal=Lt(x, y), combination=[(Integer(1), 0)])
    refused("arithmetic", assume(Lt(x, y)), goal=Lt(0, 0), combination=[(Integer(0), 0)])
    refused("arithmetic", goal=Lt(0, x**2), squares=[(Integer(1), x)])
    refused("arithmetic", goal=Lt(0, x**2), signs=[x**2])
    refused("arithmetic", goal=Lt(0, 0))
    p = assume(Lt(x, y))
    refused("arithmetic", p, goal=Lt(z**2 * x, z**2 * y), combination=[(z**2, 0)])
    refused("arithmetic", p, assume(Eq(y, z)), goal=Lt(y, z), combination=[(Integer(1), 1)])


def test_arithmetic_refuses_a_remainder() -> None:
    refused("arithmetic", assume(Le(x, y)), goal=Le(x, y - 1), combination=[(Integer(1), 0)])
    refused("arithmetic", assume(Le(x, y)), goal=Le(2 * x, y), combination=[(Integer(1), 0)])
    refused("arithmetic", assume(Lt(x, y)), goal=Lt(x, y), combination=[])


@pytest.mark.parametrize("c", [1e30, 0.5, 1.0, True, "1", None, float("nan"), float("inf")])
def test_arithmetic_refuses_a_multiplier_that_is_no_term(c: object) -> None:
    """0 = x(y-1) + x(1-y) with the multiplier 1e30 swallowed the goal 0 = x(y-1) in a Float."""
    p = proved(0, x * (y - 1) + x * (1 - y))
    with pytest.raises((K.Refused, TypeError, AttributeError, ValueError)):
        use("arithmetic", p, goal=Eq(0, x * (y - 1)), combination=[[c, 0]])
    for name in ("squares", "signs"):
        with pytest.raises((K.Refused, TypeError, AttributeError, ValueError)):
            use("arithmetic", goal=Le(0, x**2), **{name: [[c, x]] if name == "squares" else [c]})


def test_arithmetic_captures_nothing() -> None:
    p = assume(Eq(B.bind_sum(F(a), a, X), x))
    refused(
        "arithmetic", p, goal=Eq(B.bind_sum(F(a) ** 2, a, X), x * F(a)), combination=[(F(a), 0)]
    )
    made = use(
        "arithmetic", p, goal=Eq(B.bind_sum(F(a) * F(b), b, X), x * F(a)), combination=[(F(a), 0)]
    )
    assert made.hyps == p.hyps


# --- sum_of_members, antisymmetry


def test_sum_of_members() -> None:
    each = assume(B.for_all([a], Lt(F(a), x)))
    made = use("sum_of_members", each, over=X)
    assert made.concl == Lt(B.bind_sum(F(a), a, X), B.bind_sum(x, a, X))
    below = assume(B.for_all([m], Imp(Lt(m, n), Le(f(m), g(m)))))
    made = use("sum_of_members", below, over=Range(n))
    assert made.concl == Le(B.bind_sum(f(m), m, Range(n)), B.bind_sum(g(m), m, Range(n)))


def test_sum_of_members_refuses_a_strict_sum_over_what_may_be_empty() -> None:
    each = assume(B.for_all([m], Lt(f(m), g(m))))
    for size in (n, Integer(0), n + 1, Integer(3)):
        refused("sum_of_members", each, over=Range(size))
    word = Var("w", K.WordsOf(X))
    h = Fn("h", REAL, K.WordsOf(X))
    refused("sum_of_members", assume(B.for_all([word], Lt(h(word), x))), over=Words(X, n))


def test_sum_of_members_refuses_another_set() -> None:
    each = assume(B.for_all([a], Le(F(a), x)))
    for over in (Y, Range(n), Words(X, n), Prod(X, Y), K.WordsOf(X), REAL, x):
        refused("sum_of_members", each, over=over)


def test_sum_of_members_refuses_what_is_not_for_all_members() -> None:
    refused("sum_of_members", assume(Le(F(a), x)), over=X)
    refused("sum_of_members", assume(B.for_all([a], Imp(FALSE, Le(F(a), x)))), over=X)
    refused("sum_of_members", assume(B.for_all([a, b], Le(G(a, b), x))), over=X)
    refused("sum_of_members", assume(B.for_all([x], Le(f(x), y))), over=Range(n))


@pytest.mark.parametrize(
    "guard", [Le(m, n), Lt(m, n + 1), Lt(n, m), Lt(m, m), Lt(0, m), Lt(m, k), Eq(m, 0), FALSE]
)
def test_sum_of_members_refuses_another_guard(guard: K.Formula) -> None:
    each = assume(B.for_all([m], Imp(guard, Le(f(m), g(m)))))
    refused("sum_of_members", each, over=Range(n))


def test_sum_of_members_captures_nothing() -> None:
    """The prototype built sum_v f(v, v) from "for all w: f(w, v)"."""
    each = assume(B.for_all([a], Le(G(a, b), x)))
    made = use("sum_of_members", each, over=X)
    assert made.concl == Le(B.bind_sum(G(a, b), a, X), B.bind_sum(x, a, X))
    assert b in B.variables(made.concl)


def test_antisymmetry() -> None:
    assert use("antisymmetry", assume(Le(x, y)), assume(Le(y, x))).concl == Eq(x, y)


def test_antisymmetry_refuses_what_is_not_opposite() -> None:
    refused("antisymmetry", assume(Le(x, y)), assume(Le(x, y)))
    refused("antisymmetry", assume(Le(x, y)), assume(Le(z, x)))
    refused("antisymmetry", assume(Le(x, y)))


def test_antisymmetry_refuses_strict_inequalities() -> None:
    refused("antisymmetry", assume(Lt(x, y)), assume(Lt(y, x)))
    refused("antisymmetry", assume(Le(x, y)), assume(Lt(y, x)))


def test_antisymmetry_captures_nothing() -> None:
    p = Le(B.bind_sum(F(a), a, X), F(a))
    refused("antisymmetry", assume(p), assume(Le(F(b), B.bind_sum(F(a), a, X))))
