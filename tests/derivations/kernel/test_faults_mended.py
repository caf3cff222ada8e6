"""Faults that an earlier kernel had, or that were feared: none may come back."""

from __future__ import annotations

import pytest
from sympy import Add, Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Bound,
    Eq,
    Fn,
    Inv,
    Lam,
    Le,
    Log,
    Lt,
    Max2,
    Range,
    Refused,
    Var,
)
from tests.derivations.kernel.applying import (
    F,
    G,
    X,
    Y,
    a,
    assume,
    b,
    f,
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

# --- faults of an earlier kernel


def test_a_float_does_not_swallow_a_goal() -> None:
    """combination [[1e30, 0]]: 1 - 1e30 is -1e30 in SymPy's floats; x(y-1) = 0 was proved."""
    p = proved(0, x * (y - 1) + x * (1 - y))
    with pytest.raises((Refused, TypeError)):
        use("arithmetic", p, goal=Eq(0, x * (y - 1)), combination=[[1e30, 0]])
    refused("arithmetic", p, goal=Eq(0, x * (y - 1)), combination=[[Rational(10**30), 0]])


def test_a_real_does_not_become_an_exponent() -> None:
    """n = k - m |- y^n = y^k Inv(y^m) was proved: 1 = 0 at y = 0, k = m = 1."""
    h = assume(Eq(n, k - m))
    i = Var("i", NAT)
    refused("substitute_equals", h, proved(y**n, y**n), variable=i, formula=Eq(y**n, y**i))
    refused("instantiate", assume(Eq(f(n - m), z)), values={f: Lam(REAL, y ** Bound(0, NAT))})
    refused("rewrite", assume(Eq(y**n, z)), h)


def test_the_point_of_a_limit_stays_outside_the_quantifiers_of_an_axiom() -> None:
    """limit_is_local about Near(v): "for all v: 0 < (v-v)^2 -> ..." was vacuous."""
    for about in (K.Near(Var("v", REAL)), K.Near(Fn("g", REAL, X)(a))):
        try:
            made = use("axiom", name="limit_is_local", about=about).concl
        except Refused:
            continue
        assert Lt(0, 0) not in [*B.subterms(made)]


def test_the_logarithm_of_a_positive_power_does_not_split() -> None:
    """0 < x^n does not make x positive: at x = -1, n = 2 the value of log(-1) would be fixed."""
    refused("normal_form", assume(Lt(0, x**n)), left=Log(x**n), right=n * Log(x))


def test_a_power_of_nothing() -> None:
    """0^0 = 1: x^n is not 0 for x = 0, and x^n Inv(x^n) is 1 at n = 0."""
    refused("normal_form", left=Integer(0) ** n, right=Integer(0))
    refused("normal_form", left=Integer(0) ** n, right=Integer(1))
    assert proved(Integer(0) ** (n + 1), 0)
    assert proved(x ** (n - n), 1)
    refused("normal_form", left=x**n * Inv(x) ** n, right=Integer(1))
    refused("normal_form", left=x**n * Inv(x**n), right=(x * Inv(x)) ** (n + 1))
    assert use(
        "instantiate", proved(x**n * x, x ** (n + 1)), values={x: Integer(0), n: Integer(0)}
    ).concl == Eq(0, 0)


def test_indicators() -> None:
    """x*Inv(x) is 0 or 1, and no more is known of it."""
    one = x * Inv(x)
    assert proved(one * one, one) and proved(one * x, x) and proved(Inv(one), one)
    for wrong in (Integer(0), Integer(1), x, 2 - one, one + 1):
        refused("normal_form", left=one, right=wrong)
    refused("normal_form", left=Inv(x) * Inv(y) * x * y, right=x * Inv(x))
    refused("normal_form", left=Inv(x + y) * (x + y), right=one)


def test_a_maximum_of_products_is_no_product_of_maxima() -> None:
    top = lambda t, *vs: K.Max(
        vs[0].sort, B.close_body(vs[0], t if len(vs) == 1 else top(t, *vs[1:]))
    )
    refused("normal_form", left=top(F(a) * F(b), a, b), right=top(F(a), a) ** 2)
    refused("normal_form", left=top(-F(a), a), right=-top(F(a), a))
    refused("normal_form", left=top(F(a) + G(a, a), a), right=top(F(a), a) + top(G(a, a), a))
    assert proved(top(F(a) + F(a), a), top(2 * F(b), b))


def test_a_delta_does_not_reach_outside_its_set() -> None:
    """sum_{t<n} delta(t, m) f(t) is f(m) only when m < n."""
    total = B.bind_sum(K.Delta(k, m) * f(k), k, Range(n))
    refused("normal_form", left=total, right=f(m))
    refused("normal_form", assume(Lt(n, m)), left=total, right=f(m))
    assert proved(B.bind_sum(K.Delta(a, b) * F(a), a, X), F(b))


def test_functions_of_zero_arguments_are_constants_not_variables() -> None:
    one = Fn("one", NAT)()
    refused("generalise", proved(x**one, x**one), variable=one)
    refused(
        "induction",
        assume(Eq(one * x, 0)),
        assume(Eq(one * x, 0)),
        variable=one,
        formula=Eq(one * x, 0),
    )
    refused("instantiate", proved(x**one, x**one), values={one: Integer(2)})
    made = use("instantiate", proved(x**one, x**one), values={Fn("one", NAT): Integer(2)})
    assert made.concl == Eq(x**2, x**2)
    refused("instantiate", proved(x**one, x**one), values={Fn("one", NAT): Integer(-2)})
    refused("instantiate", proved(x**one, x**one), values={Fn("one", NAT): y})


def test_products_of_sets_are_not_commutative() -> None:
    P = Fn("P", REAL, K.Prod(X, Y))
    refused(
        "instantiate",
        assume(Eq(P(Var("p", K.Prod(X, Y))), 0)),
        values={P: Fn("P", REAL, K.Prod(Y, X))},
    )
    refused("normal_form", left=K.Delta(K.Pair(a, b), K.Pair(b, a)), right=Integer(1))


def test_a_hypothesis_with_other_names_is_another_hypothesis() -> None:
    """Alpha-equal is equal; a free name is not a bound one."""
    assert (
        use("discharge", assume(B.for_all([x], Le(x, y))), formula=B.for_all([z], Le(z, y))).hyps
        == frozenset()
    )
    assert use("discharge", assume(Le(x, y)), formula=Le(z, y)).hyps == {Le(x, y)}


def test_restating_between_naturals_and_reals() -> None:
    """for all natural n: p does not become for all real n: p, whatever the bodies look like."""
    natural = B.for_all([n], Le(0, n))
    refused("restate", assume(natural), formula=B.for_all([x], Le(0, x)))
    body = K.All(REAL, Le(0, Bound(0, NAT)))
    refused("restate", assume(natural), formula=body)
    try:  # an ill-labelled bound variable has the sort of its binder, or is refused
        made = use("specialise", assume(body), term=Integer(-1))
    except Refused:
        return
    assert made.hyps == {body} and made.concl == Le(0, Integer(-1))


def test_larger_of_a_natural_is_not_natural() -> None:
    refused("instantiate", assume(Eq(y**n, 1)), values={n: Max2(n, m)})
    refused("specialise", assume(B.for_all([n], Eq(y**n, 1))), term=Max2(n, n))
    assert K.sort_of(Add(n, m)) == NAT
