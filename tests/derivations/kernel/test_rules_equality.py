"""Equality, order and finite sums: uses, forgeries of each side condition, attempts to capture."""

from __future__ import annotations

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Eq,
    Imp,
    Inv,
    Le,
    Lt,
    Max2,
    Range,
    Var,
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
    nonzero,
    proved,
    refused,
    use,
    x,
    y,
    z,
)

# --- normal_form, restate


def test_normal_form() -> None:
    assert use("normal_form", left=(x + y) ** 2, right=x**2 + 2 * x * y + y**2).concl
    assert proved(x * Inv(x), 1, Lt(0, x)).hyps == {Lt(0, x)}


def test_normal_form_refuses_what_differs() -> None:
    refused("normal_form", left=x, right=y)
    refused("normal_form", left=Integer(0), right=Integer(1))


def test_normal_form_refuses_to_cancel_without_a_sign() -> None:
    for fact in ([], [assume(Le(0, x))], [assume(nonzero(y))], [assume(Eq(x, 1))]):
        refused("normal_form", *fact, left=x * Inv(x), right=Integer(1))


@pytest.mark.parametrize("t", [Eq(x, y), X, REAL, K.Near(x)])
def test_normal_form_refuses_what_is_no_term(t: object) -> None:
    with pytest.raises((K.Refused, TypeError)):
        use("normal_form", left=t, right=t)


def test_normal_form_refuses_indices() -> None:
    """a = a is no formula: = is between reals."""
    refused("normal_form", left=a, right=a)


def test_normal_form_captures_nothing() -> None:
    refused("normal_form", left=B.bind_sum(F(a) * F(b), a, X), right=B.bind_sum(F(a) ** 2, a, X))
    assert proved(B.bind_sum(F(a) * F(b), a, X), F(b) * B.bind_sum(F(b), b, X))


def test_restate() -> None:
    made = use("restate", assume(Le(x + x, y)), formula=Le(2 * x, y + 0 * x))
    assert made.concl == Le(2 * x, y)
    limit = K.Lim(K.Near(x + x), B.close_body(z, f(z) * (z + 1)), y)
    other = K.Lim(K.Near(2 * x), B.close_body(z, f(z) * z + f(z)), y)
    assert use("restate", assume(limit), formula=other).concl == other


def test_restate_refuses_nothing_to_restate() -> None:
    refused("restate", formula=Eq(x, x))


def test_restate_refuses_another_formula() -> None:
    for q in (Lt(x, y), Le(y, x), Eq(x, y), Imp(Le(x, y), Le(x, y)), Le(x, y + 1)):
        refused("restate", assume(Le(x, y)), formula=q)


def test_restate_refuses_another_quantifier() -> None:
    refused("restate", assume(B.for_all([n], Le(0, f(n)))), formula=B.for_all([x], Le(0, f(x))))
    refused("restate", assume(B.for_all([a], Le(0, x))), formula=B.for_all([Var("c", Y)], Le(0, x)))


def test_restate_refuses_another_filter() -> None:
    body = B.close_body(z, f(z))
    near, right = K.Lim(K.Near(Integer(0)), body, y), K.Lim(K.Right(), body, y)
    refused("restate", assume(near), formula=right)
    refused("restate", assume(right), formula=near)
    refused("restate", assume(near), formula=K.Lim(K.Near(x), body, y))
    naturals = K.Lim(K.Infinity(), B.close_body(n, f(n)), y)
    refused("restate", assume(naturals), formula=right)


def test_restate_does_not_use_what_it_restates() -> None:
    """Otherwise 0 < x*Inv(x) would say of itself that x*Inv(x) is 1."""
    refused("restate", assume(Lt(0, x * Inv(x))), formula=Lt(0, 1))
    refused(
        "restate", assume(nonzero(x)), formula=Imp(Eq(x * Inv(x), 0), Lt(0, x - x * x * Inv(x)))
    )
    refused("restate", assume(Eq(x * Inv(x), y)), formula=Eq(1, y))


def test_restate_captures_nothing() -> None:
    refused(
        "restate", assume(B.for_all([x], Le(f(x), f(x)))), formula=B.for_all([x], Le(f(x), f(y)))
    )
    refused("restate", assume(B.for_all([x], Eq(x, y))), formula=B.for_all([y], Eq(y, y)))


# --- substitute_equals, rewrite


def test_substitute_equals() -> None:
    made = use(
        "substitute_equals",
        assume(Eq(x, y)),
        proved(x * z, z * x),
        variable=Var("h", REAL),
        formula=Eq(Var("h", REAL) * z, z * x),
    )
    assert made.concl == Eq(y * z, z * x)
    assert made.hyps == {Eq(x, y)}


def test_substitute_equals_refuses_an_inequality() -> None:
    refused("substitute_equals", assume(Le(x, y)), assume(Le(x, 0)), variable=z, formula=Le(z, 0))


def test_substitute_equals_refuses_the_other_direction() -> None:
    refused("substitute_equals", assume(Eq(x, y)), assume(Le(y, 0)), variable=z, formula=Le(z, 0))


def test_substitute_equals_refuses_another_premise() -> None:
    refused("substitute_equals", assume(Eq(x, y)), assume(Lt(x, 0)), variable=z, formula=Le(z, 0))


@pytest.mark.parametrize("variable", [X, F, Integer(0), a, K.NAT])
def test_substitute_equals_refuses_what_is_no_real_variable(variable: object) -> None:
    refused(
        "substitute_equals",
        assume(Eq(x, y)),
        assume(Le(F(a), 0)),
        variable=variable,
        formula=Le(F(a), 0),
    )


def test_substitute_equals_refuses_a_real_in_place_of_a_natural() -> None:
    """n = k - m |- y^n = y^(k-m) would give 1 = 0 at y = 0, k = m = 1: 0^(1-1) against 0^1/0^1."""
    h, i = assume(Eq(n, k - m)), Var("i", NAT)
    refused("substitute_equals", h, proved(y**n, y**n), variable=i, formula=Eq(y**n, y**i))
    refused("rewrite", assume(Eq(y**n, z)), h)
    refused("rewrite", assume(Eq(B.bind_sum(f(i), i, Range(n)), z)), h)
    refused("rewrite", assume(Eq(K.Delta(n, m), z)), h)


def test_substitute_equals_captures_nothing() -> None:
    """From F(a) = x put F(a) into a sum over a: the free a stays free."""
    formula = Eq(B.bind_sum(z * F(a), a, X), y)
    eq = assume(Eq(x, F(a)))
    made = use(
        "substitute_equals", eq, assume(B.substitute(formula, {z: x})), variable=z, formula=formula
    )
    assert made.concl == Eq(B.bind_sum(F(a) * F(b), b, X), y)


def test_rewrite() -> None:
    rule = assume(B.for_all([a], Eq(F(a), G(a, a))))
    made = use("rewrite", assume(Le(B.bind_sum(F(a) * x, a, X), F(b))), rule)
    assert made.concl == Le(B.bind_sum(G(a, a) * x, a, X), G(b, b))


def test_rewrite_refuses_nothing_to_rewrite_with() -> None:
    refused("rewrite", assume(Le(x, y)))
    refused("rewrite")


def test_rewrite_refuses_an_inequality() -> None:
    refused("rewrite", assume(Le(x, y)), assume(Le(x, z)))
    refused("rewrite", assume(Le(x, y)), assume(Imp(FALSE, Eq(x, z))))


def test_rewrite_refuses_a_left_side_that_leaves_a_variable_open() -> None:
    """for all v: 0 * g(v) = ... : the variable of the right side is not found on the left."""
    refused("rewrite", assume(Le(f(x), y)), assume(B.for_all([z], Eq(f(x), g(z)))))


def test_rewrite_keeps_a_free_variable_of_the_equation() -> None:
    """f(x) = y is about this x only: f(z) stays, and f(x) under "for all x" too."""
    eq = assume(Eq(f(x), y))
    assert use("rewrite", assume(Le(f(z), 0)), eq).concl == Le(f(z), 0)
    bound = B.for_all([x], Le(f(x), 0))
    assert use("rewrite", assume(bound), eq).concl == bound


def test_rewrite_never_looks_at_a_part_of_an_instance_that_is_bound_outside() -> None:
    """for all v: f(v) = y must not turn f(sum_a F(a)) wrongly, nor escape with a bound a."""
    eq = assume(B.for_all([x], Eq(f(x), g(x))))
    made = use("rewrite", assume(Eq(B.bind_sum(f(F(a)), a, X), y)), eq)
    assert made.concl == Eq(B.bind_sum(g(F(a)), a, X), y)
    assert B.loose(made.concl) == 0


def test_rewrite_refuses_to_put_a_real_where_a_natural_stands() -> None:
    larger = proved(n, Max2(n, n))
    refused("rewrite", assume(Eq(y**n, 1)), larger)
    refused("rewrite", assume(Eq(B.bind_sum(f(m), m, Range(n)), 1)), larger)
    assert use("rewrite", assume(Le(f(n), 1)), larger).concl == Le(f(Max2(n, n)), 1)


def test_rewrite_captures_nothing() -> None:
    """x = F(a) goes under the binder a without being caught by it."""
    made = use("rewrite", assume(Eq(B.bind_sum(x * F(a), a, X), y)), assume(Eq(x, F(a))))
    assert made.concl == Eq(B.bind_sum(F(a) * F(b), b, X), y)
    limit = K.Lim(K.Near(y), B.close_body(z, f(z) * x), y)
    made = use("rewrite", assume(limit), assume(Eq(x, z)))
    assert made.concl == K.Lim(K.Near(y), B.close_body(Var("v", REAL), f(Var("v", REAL)) * z), y)
