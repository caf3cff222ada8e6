"""Attempts to instantiate the schematic axioms into something false."""

from __future__ import annotations

import math
from inspect import signature

import pytest
from sympy import Basic, Integer

from derivations.kernel import axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Fin, Fn, Imp, Lam, Lt, Prod, Refused, Var
from tests.derivations.kernel.applying import FALSE, X, Y, assume, refused, use, x
from tests.derivations.kernel.calculus import C, Calculus, symbols

WITH_FILTER = [
    n for n in axioms.names() if signature(getattr(axioms, n)).parameters and "taylor" not in n
]


# --- bending the schematic ones


@pytest.mark.parametrize("name", WITH_FILTER)
@pytest.mark.parametrize(
    "about",
    [
        K.Near(Var("v", REAL)),
        K.Near(x),
        K.Near(Var("delta", REAL)),
        K.Near(Fn("g", REAL, X)(Var("a", X))),
        K.Near(Var("n", NAT)),
        K.Near(Integer(0)),
        K.Near(C + 1),
    ],
    ids=str,
)
def test_a_filter_cannot_carry_a_variable_into_the_axiom(name: str, about: Basic) -> None:
    """Near(v) made "for all v: 0 < (v-v)^2 -> ..." vacuous, and f -> L gave g -> L for every g."""
    try:
        made = use("axiom", name=name, about=about).concl
    except Refused:
        return
    honest = axioms.formula(name, K.Near(C))
    (point,) = {
        e.args[0] for e in B.subterms(made) if isinstance(e, K.Near) and not B.loose(e)
    } or {C}
    assert made == B.substitute(honest, {C: point})


def test_another_point_is_reached_by_instantiation() -> None:
    made = use(
        "instantiate",
        use("axiom", name="limit_is_local", about=K.Near(C)),
        values={C: Var("v", REAL)},
    )
    assert FALSE not in [*B.subterms(made.concl)]
    assert Var("v", REAL) in B.variables(made.concl)


def test_a_function_may_not_depend_on_the_variable_of_the_limit_from_outside() -> None:
    """f := w -> v with the free v: the limit of a constant, not the identity."""
    v = Var("v", REAL)
    axiom = use("axiom", name="limit_of_sum", about=K.Near(C))
    made = use("instantiate", axiom, values={symbols(axiom.concl)["f"]: Lam(REAL, v)})
    first = made.concl.args[0]
    assert first.args[1] == v and v in B.variables(first)


def test_a_radius_that_is_not_positive_helps_nobody() -> None:
    """0 < delta is a premise of its own: with delta = -1 it cannot be met."""
    for name in ("limit_is_local", "limit_keeps_order", "limit_by_squeezing"):
        for about in (K.Near(C), K.Right()):
            p = axioms.formula(name, about)
            premises: list[Basic] = []
            while isinstance(p, Imp):
                premises.append(p.args[0])
                p = p.args[1]
            assert Lt(0, Var("delta", REAL)) in premises


def test_a_late_start_may_depend_on_the_functions_only() -> None:
    """N is free, so one start must serve all n; N := n is impossible, for n is bound."""
    p = axioms.formula("limit_keeps_order", K.Infinity())
    assert Var("N", NAT) in B.variables(p) and Var("n", NAT) not in B.variables(p)
    made = use("instantiate", assume(p), values={Var("N", NAT): Var("n", NAT)}).concl
    assert Var("n", NAT) in B.variables(made)


def test_a_finite_sum_over_a_product_is_still_finite() -> None:
    axiom = use("axiom", name="limit_of_finite_sum", about=K.Near(C))
    made = use("instantiate", axiom, values={Fin("X"): Prod(X, Y)}).concl
    assert Prod(X, Y) in [*B.subterms(made)] and B.check(made) == made
    for infinite in (K.WordsOf(X), REAL, NAT, K.Range(Var("n", NAT))):
        refused("instantiate", axiom, values={Fin("X"): infinite})


def test_limits_of_members_need_all_members() -> None:
    """One a is not enough for the sum."""
    axiom = use("axiom", name="limit_of_finite_sum", about=K.Near(C))
    each = axiom.concl.args[0]
    assert isinstance(each, K.All)
    one = B.open_body(each.args[1], Var("a", X))
    refused("modus_ponens", axiom, assume(one))


def test_reciprocals_need_a_limit_or_a_point_that_is_not_zero() -> None:
    for name, about in (("limit_of_reciprocal", K.Near(C)), ("derivative_of_reciprocal", None)):
        text = axioms.formula(name, about)
        assert any(isinstance(e, Imp) and e.args[1] == FALSE for e in B.subterms(text))


def test_a_maximum_axiom_over_equal_sets() -> None:
    """X := X x X collides with nothing: the letter changes its sort with the set."""
    made = use(
        "instantiate",
        use("axiom", name="finite_maximum_is_attained", about=None),
        values={Fin("X"): Prod(X, X)},
    )
    assert made.concl.args[0] == Prod(X, X) and B.check(made.concl)


def test_monotone_needs_the_whole_interval() -> None:
    """A derivative that is non-negative at the ends only does not do."""
    p = axioms.formula("nonnegative_derivative_is_monotone", None)
    by_name = symbols(p)
    values = {
        by_name["f"]: lambda v: math.cos(3 * v),
        by_name["g"]: lambda v: -3 * math.sin(3 * v),
        by_name["y"]: -0.5,
        by_name["w"]: 0.6,
    }
    model = Calculus(0, values)
    assert model.holds(p) is True  # the premises fail, so it says nothing


def test_the_series_head_means_nothing_without_its_axiom() -> None:
    """Series of a divergent sum is a real, and not provably any particular one."""
    n = Var("n", NAT)
    ones = K.Series(B.close_body(n, Integer(1)))
    for value in (Integer(0), Integer(1), ones + 1, -ones, K.Series(B.close_body(n, Integer(2)))):
        refused("normal_form", left=ones, right=value)
    refused("normal_form", left=K.Series(B.close_body(n, Integer(0))), right=Integer(1))


def test_a_bound_variable_in_a_function_value_is_refused() -> None:
    axiom = use("axiom", name="derivative_of_sum", about=None)
    f = symbols(axiom.concl)["f"]
    refused("instantiate", axiom, values={f: Lam(REAL, Bound(1, REAL))})
