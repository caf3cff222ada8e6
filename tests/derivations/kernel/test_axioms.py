"""Every axiom has a source and is true on smooth functions; none can be bent into something false."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from inspect import getsource, signature
from typing import Any

import pytest
from sympy import Basic, Integer

from derivations.kernel import axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Eq, Fin, Fn, Imp, Lam, Lt, Prod, Refused, Var
from tests.derivations.kernel.applying import FALSE, X, Y, assume, refused, use, x, y
from tests.derivations.kernel.evaluate import Model, Truth

C = Var("c", REAL)
FILTERS = {"oo": K.Infinity(), "c": K.Near(C), "0+": K.Right()}
NAMES = axioms.names()
WITH_FILTER = [n for n in NAMES if signature(getattr(axioms, n)).parameters and "taylor" not in n]
ABOUT = [
    (n, about)
    for n in NAMES
    for about in ([*FILTERS.values()] if n in WITH_FILTER else [Integer(j) for j in (1, 2, 3, 4)] if "taylor" in n else [None])
    if not (n == "limit_of_identity" and about == K.Infinity())
]


# --- the list


def test_there_are_at_most_32() -> None:
    assert 1 <= len(NAMES) == len(set(NAMES)) <= 32


@pytest.mark.parametrize("name", NAMES)
def test_an_axiom_names_its_source(name: str) -> None:
    """In its docstring, or in the heading of its block."""
    doc = getattr(axioms, name).__doc__ or ""
    text = getsource(axioms)
    block = text[: text.index(f"def {name}(")].rpartition("# Source for this block")[2].splitlines()[0]
    source = re.compile(r"(Rudin|Hardy|Halmos)[^.]*[\d]")
    assert source.search(doc) or source.search("Rudin " + block if "Rudin" in block else ""), doc


@pytest.mark.parametrize("name", ["pinsker", "policy_gradient", "sorry", "exp", "", "exponential_of_sum ", "Exponential_of_sum", "__doc__", "formula", "names", "c", "OO", "_lim"])  # fmt: skip
def test_a_forged_name_is_refused(name: str) -> None:
    refused("axiom", name=name, about=None)
    refused("axiom", name=name, about=K.Infinity())


@pytest.mark.parametrize("name", NAMES)
def test_an_axiom_is_tagged_with_its_name(name: str) -> None:
    about = next(a for n, a in ABOUT if n == name)
    made = use("axiom", name=name, about=about)
    assert made.axioms == {name} and made.hyps == frozenset()
    assert B.check(made.concl) == made.concl


@pytest.mark.parametrize("order", [0, 5, -1, 10**6])
def test_taylor_has_a_small_order(order: int) -> None:
    refused("axiom", name="taylor_with_peano_remainder", about=Integer(order))
    for about in (None, Var("n", NAT), K.Infinity()):
        refused("axiom", name="taylor_with_peano_remainder", about=about)


def test_n_has_no_limit() -> None:
    refused("axiom", name="limit_of_identity", about=K.Infinity())


# --- numbers


@dataclass(frozen=True)
class Calculus(Model):
    """A model that decides limits and derivatives by evaluating closer and closer."""

    step: float = 1e-4

    def _Lim(self, p: K.Lim, env: Any) -> Truth:
        at = float(self.value(p.args[0].args[0], env)) if p.args[0].args else 0.0
        points: list[Any] = [at - self.step, at + self.step]
        if isinstance(p.args[0], K.Infinity):
            points = [Fraction(200), Fraction(201)]
        if isinstance(p.args[0], K.Right):
            points = [self.step]
        limit = float(self.value(p.args[2], env))
        gaps = [abs(float(self.value(p.args[1], [*env, v])) - limit) for v in points]
        return max(gaps) < 0.01 * (1 + abs(limit))

    def _Le(self, p: K.Le, env: Any) -> Truth:
        return super()._Le(p, env) is not False

    def _Lt(self, p: Lt, env: Any) -> Truth:
        left, right = self._of(p, env)
        return bool(left < right)

    def _HasD(self, p: K.HasD, env: Any) -> Truth:
        return super()._HasD(p, env) is not False

    def complete(self, sort: Basic) -> bool:
        return True

    def samples(self, sort: Basic) -> list[Any]:
        if sort != REAL:
            return super().samples(sort)
        at = float(self.values.get(C, 0))
        return [at + h for h in (-1.5, -0.4, -0.1, -0.01, 0.0, 0.01, 0.1, 0.4, 1.5)]


Real = Callable[..., Any]
# A function with its derivatives: smooth everywhere.
SMOOTH: list[list[Real]] = [
    [lambda v: 2.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0],
    [lambda v: 3 * v - 1, lambda v: 3.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0],
    [lambda v: v**3 + v, lambda v: 3 * v**2 + 1, lambda v: 6 * v, lambda v: 6.0, lambda v: 0.0],
    [lambda v: math.exp(v / 2), *[(lambda v, j=j: math.exp(v / 2) / 2**j) for j in (1, 2, 3, 4)]],
    [math.sin, math.cos, lambda v: -math.sin(v), lambda v: -math.cos(v), math.sin],
]
# A sequence with its limit.
SEQUENCES: list[tuple[Real, float]] = [
    (lambda j: 2.0, 2.0),
    (lambda j: 1 - 1 / (float(j) + 1) ** 2, 1.0),
    (lambda j: 0.5 ** float(j), 0.0),
    (lambda j: (-1) ** int(j) / (float(j) + 1) ** 2 - 3, -3.0),
]
POINTS = (-0.7, 0.0, 1.3)


def symbols(formula: Basic) -> dict[str, Basic]:
    found: dict[str, Basic] = {}
    for e in B.subterms(formula):
        if isinstance(e, Fn):
            found[e.name] = e
        elif isinstance(e, Var):
            found[str(e.tag)] = e
    return found


def instances(name: str, about: Any) -> list[Mapping[str, Any]]:
    """Values by name under which the premises hold: functions, their limits, their derivatives."""
    if about == K.Infinity():
        pairs = [(p, q) for p in SEQUENCES for q in SEQUENCES]
        return [_limits(name, p[0], q[0], p[1], q[1], 0.0) for p, q in pairs]
    points = (0.0,) if about == K.Right() else POINTS
    out: list[Mapping[str, Any]] = []
    for at in points:
        for s in SMOOTH:
            for t in SMOOTH:
                if name.startswith("limit"):
                    out.append(_limits(name, s[0], t[0], s[0](at), t[0](at), at))
                else:
                    out.append(_derivatives(name, s, t, at))
    return out


def _limits(name: str, p: Real, q: Real, L: float, M: float, at: float) -> dict[str, Any]:
    values: dict[str, Any] = {"f": p, "g": q, "L": L, "M": M, "c": at, "y": 1.5, "delta": 0.25, "N": Fraction(2), "h": math.cos}
    if name == "limit_is_unique":
        values["M"] = L
    if name == "limit_keeps_order":
        values |= {"g": lambda v: p(v) + abs(q(v)), "M": L + abs(M)}
    if name == "limit_is_local":
        values["g"] = lambda v: p(v)
    if name == "limit_by_squeezing":
        values |= {"f": lambda v: L + (p(v) - L) * 0.5, "g": lambda v: p(v) - L}
    if name == "limit_of_finite_sum":
        values |= {"f": lambda v, a: p(v) * (a[1] + 1), "l": lambda a: L * (a[1] + 1)}
    return values


def _derivatives(name: str, s: list[Real], t: list[Real], at: float) -> dict[str, Any]:
    values: dict[str, Any] = {"f": s[0], "g": t[0], "L": s[1](at), "M": t[1](at), "c": at, "k": s[1](at), "delta": 0.25}
    values |= {"x": at, "y": at - 0.5, "w": at + 0.75} | {f"f{j}": s[j] for j in range(5)}
    if name == "derivative_of_composition":
        values |= {"L": t[1](at), "M": s[1](t[0](at))}
    if name == "derivative_of_finite_sum":
        values |= {"f": lambda v, a: s[0](v) * (a[1] + 1), "l": lambda a: s[1](at) * (a[1] + 1)}
    if name == "nonnegative_derivative_is_monotone":
        values["g"] = s[1]
    return values


STEPS = {"2": 1e-3, "3": 0.03, "4": 0.05}  # Taylor divides by a power of the step
SPECIAL = {
    "finite_maximum_is_attained": [{"f": lambda a, r=r: r * a[1] ** 2 - a[1]} for r in (0, 1, 2)],
    "dominated_series_converges": [
        {"f": lambda j, r=r: (-r) ** int(j), "g": lambda j, r=r: abs(r) ** int(j), "L": 1 / (1 - abs(r))}
        for r in (0.5, -0.25, 0.6)
    ]
}


def truths(name: str, about: Any) -> list[Truth]:
    """For every instance whose premises hold: is the conclusion true?"""
    formula = axioms.formula(name, about)
    by_name = symbols(formula)
    out: list[Truth] = []
    for seed, given in enumerate(SPECIAL.get(name) or instances(name, about)):
        values = {by_name[k]: v for k, v in given.items() if k in by_name}
        model, p = Calculus(seed, values, step=STEPS.get(str(about), 1e-4)), formula
        while isinstance(p, Imp) and p.args[1] != FALSE and model.holds(p.args[0]) is True:
            p = p.args[1]
        if not isinstance(p, Imp):
            out.append(model.holds(p))
    return out


@pytest.mark.parametrize(("name", "about"), ABOUT, ids=str)
def test_an_axiom_is_true_on_smooth_functions(name: str, about: Any) -> None:
    found = truths(name, about)
    assert False not in found
    assert found.count(True) >= (1 if name.startswith(("exp", "log", "finite")) else 3)


@pytest.mark.parametrize(("name", "about"), ABOUT, ids=str)
def test_a_wrong_axiom_would_be_noticed(name: str, about: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The conclusion about something one larger."""
    honest = axioms.formula(name, about)

    def spoiled(p: Basic) -> Basic:
        if isinstance(p, Imp) and p.args[1] != FALSE:
            return Imp(p.args[0], spoiled(p.args[1]))
        if isinstance(p, K.All):
            return K.All(p.args[0], spoiled(p.args[1]))
        if isinstance(p, (K.Le, Lt)):
            return p.func(p.args[0] + 3 * K.Max2(p.args[1], -p.args[1]) + 3, p.args[1])
        return p.func(*p.args[:-1], p.args[-1] + 1)

    monkeypatch.setattr(axioms, "formula", lambda *_: spoiled(honest))
    assert False in truths(name, about)


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
    (point,) = {e.args[0] for e in B.subterms(made) if isinstance(e, K.Near) and not B.loose(e)} or {C}
    assert made == B.substitute(honest, {C: point})


def test_another_point_is_reached_by_instantiation() -> None:
    made = use("instantiate", use("axiom", name="limit_is_local", about=K.Near(C)), values={C: Var("v", REAL)})
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
    made = use("instantiate", use("axiom", name="finite_maximum_is_attained", about=None), values={Fin("X"): Prod(X, X)})
    assert made.concl.args[0] == Prod(X, X) and B.check(made.concl)


def test_monotone_needs_the_whole_interval() -> None:
    """A derivative that is non-negative at the ends only does not do."""
    p = axioms.formula("nonnegative_derivative_is_monotone", None)
    by_name = symbols(p)
    values = {by_name["f"]: lambda v: math.cos(3 * v), by_name["g"]: lambda v: -3 * math.sin(3 * v), by_name["y"]: -0.5, by_name["w"]: 0.6}
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
