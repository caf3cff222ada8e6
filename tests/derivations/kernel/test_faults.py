"""Faults that the prototype or an earlier kernel had, and the two derivations of False of SymPy."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import sympy
from sympy import Add, Integer, Rational, symbols

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import NAT, REAL, Bound, Eq, Exp, Fn, Imp, Inv, Lam, Le, Log, Lt, Max2, Range, Refused, Slot, Var
from derivations.language.syntax import formula, term
from derivations.tactics.context import current
from tests.derivations.kernel.applying import FALSE, F, G, X, Y, a, assume, b, f, k, m, n, nonzero, proved, refused, use, x, y, z

w = Var("w", REAL)


# --- the two derivations of False that SymPy's constructors allow


def test_sympy_erases_the_side_conditions() -> None:
    """The ground: with these constructors the derivations below go through."""
    s, t = symbols("s t")
    assert (1 / (s - t)) * (s - t) == 1
    assert sympy.exp(sympy.log(s)) == s


def test_the_reciprocal_does_not_prove_false() -> None:
    """y = 1/(z-w) |- y(z-w) = 1 by multiplying both sides; then w := z gives 0 = 1."""
    h = assume(Eq(y, Inv(z - w)))
    made = use("arithmetic", h, goal=Eq(y * (z - w), Inv(z - w) * (z - w)), combination=[(z - w, 0)])
    refused("restate", made, formula=Eq(y * (z - w), 1))
    refused("arithmetic", h, goal=Eq(y * (z - w), 1), combination=[(z - w, 0)])
    formula = Eq(w * (z - y), 1)
    v = Var("v", REAL)
    refused("substitute_equals", h, assume(Eq(Inv(z - w) * (z - w), 1)), variable=v, formula=Eq(v * (z - w), 2))
    refused("normal_form", left=Inv(z - w) * (z - w), right=Integer(1))
    at = use("instantiate", made, values={y: Inv(z - w)})
    same = use("instantiate", at, values={w: z})
    assert same.concl == Eq(0, 0) or Normaliser().is_zero(same.concl.args[1])
    refused("restate", same, formula=Eq(0, 1))
    assert formula != made.concl


def test_the_reciprocal_with_its_side_condition_proves_nothing_at_zero() -> None:
    """z - w != 0 |- ... = 1; at w := z the hypothesis is false, not the conclusion proved."""
    made = proved((z - w) * Inv(z - w), 1, nonzero(z - w))
    at = use("instantiate", made, values={w: z})
    assert at.hyps == {nonzero(Integer(0))}
    refused("modus_ponens", use("discharge", at, formula=nonzero(Integer(0))), proved(0, 0))


def test_the_logarithm_does_not_prove_false() -> None:
    """exp(t) > 0, so y = log x |- x > 0 once exp(log x) builds x; then x := -1."""
    positive = use("specialise", use("axiom", name="exponential_is_positive", about=None), term=Log(x))
    assert positive.concl == Lt(0, Exp(Log(x)))
    refused("restate", positive, formula=Lt(0, x))
    at = use("instantiate", positive, values={x: Integer(-1)})
    assert at.concl == Lt(0, Exp(Log(-1)))
    refused("contradiction", at, formula=FALSE)


# --- capture by names that the caller chooses


@pytest.mark.parametrize("name", ["v", "w", "x", "0", "1", "_1_0", "Bound0", "i~1", "", "a"])
def test_no_name_is_special(name: str) -> None:
    """sum_le, lim_op, d_add and d_mul of the prototype captured; fresh('_1_0') let heights drift."""
    e, v = Var(name, X), Var(name, REAL)
    each = assume(B.for_all([b], Le(G(b, e), x)))
    total = use("sum_of_members", each, over=X).concl
    assert total == Le(B.bind_sum(G(b, e), b, X) if e != b else total.args[0], B.bind_sum(x, b, X))
    assert e in B.variables(total)
    axiom = use("axiom", name="limit_of_sum", about=K.Near(Var("c", REAL)))
    fn = next(s for s in B.subterms(axiom.concl) if isinstance(s, Fn) and s.name == "f")
    made = use("instantiate", axiom, values={fn: Lam(REAL, Bound(0, REAL) * v)}).concl
    assert made.args[0].args[1] == Bound(0, REAL) * v and v in B.variables(made)
    derivative = use("axiom", name="derivative_of_product", about=None)
    fn = next(s for s in B.subterms(derivative.concl) if isinstance(s, Fn) and s.name == "f")
    made = use("instantiate", derivative, values={fn: Lam(REAL, v)}).concl
    assert made.args[0].args[0] == v


def test_a_sum_of_members_does_not_square_its_index() -> None:
    each = assume(B.for_all([a], Le(G(a, b), F(b))))
    made = use("sum_of_members", each, over=X).concl
    refused("restate", assume(made), formula=Le(B.bind_sum(G(a, a), a, X), B.bind_sum(F(a), a, X)))


def test_slots_are_a_class_of_their_own() -> None:
    """A term with a slot of the normal form never comes from outside."""
    for v in (Slot(0, X), Slot(0, REAL), Slot(5, NAT)):
        t = F(v) if v.sort == X else v
        refused("normal_form", left=t, right=t)
        refused("assume", formula=Eq(t, t))
        refused("generalise", proved(x, x), variable=v)
        refused("instantiate", proved(x, x), values={x: t})
        refused("specialise", assume(B.for_all([x], Le(x, y))), term=t)


def test_binder_heights_do_not_drift() -> None:
    """The same sum at different depths has one normal form inside."""
    inner = B.bind_sum(F(a), a, X)
    deep = B.bind_sum(F(b) * K.Inv(inner + F(b)), b, X)
    deeper = B.bind_sum(G(b, a) * K.Inv(inner + F(b)), b, X)
    whole = Normaliser().term(B.bind_sum(deeper, a, X) + deep)
    assert Normaliser().is_zero(whole - B.bind_sum(deeper, a, X) - deep)
    assert Normaliser().term(whole) == whole


def test_one_theorem_does_not_change_another() -> None:
    """The prototype's context was global: importing another theorem corrupted it."""
    from derivations.library import find
    from derivations.tactics.theorem import prove

    first = prove.__wrapped__(find("zero_sum_has_zero_terms"))
    prove.__wrapped__(find("square_is_zero_only_at_zero"))
    importlib.import_module("derivations.theorems")
    assert prove.__wrapped__(find("zero_sum_has_zero_terms")).main == first.main
    with pytest.raises((Refused, LookupError)):
        current()


def test_booleans_are_refused() -> None:
    for lost in (True, False, sympy.true, sympy.false):
        for build in (K.as_term, term, formula, lambda t: Eq(x, t), lambda t: Imp(t, FALSE)):
            with pytest.raises(Refused):
                build(lost)


def test_the_discount_cancels() -> None:
    """(1-g)*Inv(1-g) did not cancel in the prototype; it does when g < 1, and only then."""
    g = Var("gamma", REAL)
    assert proved((1 - g) * Inv(1 - g), 1, Lt(g, 1))
    assert proved(g * Inv(1 - g) + 1, Inv(1 - g), Lt(g, 1))
    for fact in (Le(g, 1), Lt(0, g), Le(0, g), Lt(g, 2)):
        refused("normal_form", assume(fact), left=(1 - g) * Inv(1 - g), right=Integer(1))


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
    assert use("instantiate", proved(x**n * x, x ** (n + 1)), values={x: Integer(0), n: Integer(0)}).concl == Eq(0, 0)


def test_indicators() -> None:
    """x*Inv(x) is 0 or 1, and no more is known of it."""
    one = x * Inv(x)
    assert proved(one * one, one) and proved(one * x, x) and proved(Inv(one), one)
    for wrong in (Integer(0), Integer(1), x, 2 - one, one + 1):
        refused("normal_form", left=one, right=wrong)
    refused("normal_form", left=Inv(x) * Inv(y) * x * y, right=x * Inv(x))
    refused("normal_form", left=Inv(x + y) * (x + y), right=one)


def test_a_maximum_of_products_is_no_product_of_maxima() -> None:
    top = lambda t, *vs: K.Max(vs[0].sort, B.close_body(vs[0], t if len(vs) == 1 else top(t, *vs[1:])))
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
    refused("induction", assume(Eq(one * x, 0)), assume(Eq(one * x, 0)), variable=one, formula=Eq(one * x, 0))
    refused("instantiate", proved(x**one, x**one), values={one: Integer(2)})
    made = use("instantiate", proved(x**one, x**one), values={Fn("one", NAT): Integer(2)})
    assert made.concl == Eq(x**2, x**2)
    refused("instantiate", proved(x**one, x**one), values={Fn("one", NAT): Integer(-2)})
    refused("instantiate", proved(x**one, x**one), values={Fn("one", NAT): y})


def test_products_of_sets_are_not_commutative() -> None:
    P = Fn("P", REAL, K.Prod(X, Y))
    refused("instantiate", assume(Eq(P(Var("p", K.Prod(X, Y))), 0)), values={P: Fn("P", REAL, K.Prod(Y, X))})
    refused("normal_form", left=K.Delta(K.Pair(a, b), K.Pair(b, a)), right=Integer(1))


def test_a_hypothesis_with_other_names_is_another_hypothesis() -> None:
    """Alpha-equal is equal; a free name is not a bound one."""
    assert use("discharge", assume(B.for_all([x], Le(x, y))), formula=B.for_all([z], Le(z, y))).hyps == frozenset()
    assert use("discharge", assume(Le(x, y)), formula=Le(z, y)).hyps == {Le(x, y)}


def test_restating_between_naturals_and_reals() -> None:
    """for all natural n: p does not become for all real n: p, whatever the bodies look like."""
    natural = B.for_all([n], Le(0, n))
    refused("restate", assume(natural), formula=B.for_all([x], Le(0, x)))
    body = K.All(REAL, Le(0, Bound(0, NAT)))
    refused("restate", assume(natural), formula=body)
    if K.Refused:  # an ill-labelled bound variable has the sort of its binder, or is refused
        try:
            made = use("specialise", assume(body), term=Integer(-1))
        except Refused:
            return
        assert made.hyps == {body} and made.concl == Le(0, Integer(-1))


def test_larger_of_a_natural_is_not_natural() -> None:
    refused("instantiate", assume(Eq(y**n, 1)), values={n: Max2(n, m)})
    refused("specialise", assume(B.for_all([n], Eq(y**n, 1))), term=Max2(n, n))
    assert K.sort_of(Add(n, m)) == NAT
