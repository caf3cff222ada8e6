"""Faults that the prototype or an earlier kernel had, and the two derivations of False of SymPy."""

from __future__ import annotations

import importlib

import pytest
import sympy
from sympy import Integer, symbols

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import (
    NAT,
    REAL,
    Bound,
    Eq,
    Exp,
    Fn,
    Imp,
    Inv,
    Lam,
    Le,
    Log,
    Lt,
    Refused,
    Slot,
    Var,
)
from derivations.language.syntax import formula, term
from derivations.tactics.context import current
from tests.derivations.kernel.applying import (
    FALSE,
    F,
    G,
    X,
    a,
    assume,
    b,
    nonzero,
    proved,
    refused,
    use,
    x,
    y,
    z,
)

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
    made = use(
        "arithmetic", h, goal=Eq(y * (z - w), Inv(z - w) * (z - w)), combination=[(z - w, 0)]
    )
    refused("restate", made, formula=Eq(y * (z - w), 1))
    refused("arithmetic", h, goal=Eq(y * (z - w), 1), combination=[(z - w, 0)])
    formula = Eq(w * (z - y), 1)
    v = Var("v", REAL)
    refused(
        "substitute_equals",
        h,
        assume(Eq(Inv(z - w) * (z - w), 1)),
        variable=v,
        formula=Eq(v * (z - w), 2),
    )
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
    positive = use(
        "specialise", use("axiom", name="exponential_is_positive", about=None), term=Log(x)
    )
    assert positive.concl == Lt(0, Exp(Log(x)))
    refused("restate", positive, formula=Lt(0, x))
    at = use("instantiate", positive, values={x: Integer(-1)})
    assert at.concl == Lt(0, Exp(Log(-1)))
    refused("contradiction", at, formula=FALSE)


# --- capture by names that the caller chooses


@pytest.mark.parametrize("name", ["v", "w", "x", "0", "1", "_1_0", "Bound0", "i~1", "", "a"])
def test_no_name_is_special(name: str) -> None:
    """sum_le, lim_op, d_add and d_mul captured; fresh('_1_0') let heights drift."""
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
