"""Every axiom has a source, and is true on smooth functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import getsource, signature
from typing import Any

import pytest
from sympy import Integer

from derivations.kernel import axioms
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, Imp, Lt, Var
from tests.derivations.kernel.applying import FALSE, refused, use
from tests.derivations.kernel.calculus import C, Calculus, symbols
from tests.derivations.kernel.evaluate import Truth

FILTERS = {"oo": K.Infinity(), "c": K.Near(C), "0+": K.Right()}
NAMES = axioms.names()
WITH_FILTER = [n for n in NAMES if signature(getattr(axioms, n)).parameters and "taylor" not in n]


def choices(name: str) -> list[Any]:
    """What the axiom may be about: a filter, an order, or nothing."""
    if "taylor" in name:
        return [Integer(j) for j in (1, 2, 3, 4)]
    filters = [F for F in FILTERS.values() if name != "limit_of_identity" or F != K.Infinity()]
    return filters if name in WITH_FILTER else [None]


ABOUT = [(name, about) for name in NAMES for about in choices(name)]


# --- the list


def test_there_are_at_most_32() -> None:
    assert 1 <= len(NAMES) == len(set(NAMES)) <= 32


@pytest.mark.parametrize("name", NAMES)
def test_an_axiom_names_its_source(name: str) -> None:
    """In its docstring, or in the heading of its block."""
    doc = getattr(axioms, name).__doc__ or ""
    text = getsource(axioms)
    block = (
        text[: text.index(f"def {name}(")].rpartition("# Source for this block")[2].splitlines()[0]
    )
    source = re.compile(r"(Rudin|Hardy|Halmos)[^.]*[\d]")
    assert source.search(doc) or source.search("Rudin " + block if "Rudin" in block else ""), doc


@pytest.mark.parametrize(
    "name",
    [
        "pinsker",
        "policy_gradient",
        "sorry",
        "exp",
        "",
        "exponential_of_sum ",
        "Exponential_of_sum",
        "__doc__",
        "formula",
        "names",
        "c",
        "OO",
        "_lim",
    ],
)
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

Real = Callable[..., Any]
# A function with its derivatives: smooth everywhere.
HALF: Real = lambda v: math.exp(v / 2)
SMOOTH: list[list[Real]] = [
    [lambda v: 2.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0],
    [lambda v: 3 * v - 1, lambda v: 3.0, lambda v: 0.0, lambda v: 0.0, lambda v: 0.0],
    [lambda v: v**3 + v, lambda v: 3 * v**2 + 1, lambda v: 6 * v, lambda v: 6.0, lambda v: 0.0],
    [HALF, *[(lambda v, j=j: HALF(v) / 2**j) for j in (1, 2, 3, 4)]],
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
    values: dict[str, Any] = {
        "f": p,
        "g": q,
        "L": L,
        "M": M,
        "c": at,
        "y": 1.5,
        "delta": 0.25,
        "N": Fraction(2),
        "h": math.cos,
    }
    if name == "limit_is_unique":
        values["M"] = L
    if name == "limit_keeps_order":
        values |= {"g": lambda v: p(v) + abs(q(v)), "M": L + abs(M)}
    if name == "limit_is_local":
        values["g"] = p
    if name == "limit_by_squeezing":
        values |= {"f": lambda v: L + (p(v) - L) * 0.5, "g": lambda v: p(v) - L}
    if name == "limit_of_finite_sum":
        values |= {"f": lambda v, a: p(v) * (a[1] + 1), "l": lambda a: L * (a[1] + 1)}
    return values


def _derivatives(name: str, s: list[Real], t: list[Real], at: float) -> dict[str, Any]:
    values: dict[str, Any] = {
        "f": s[0],
        "g": t[0],
        "L": s[1](at),
        "M": t[1](at),
        "c": at,
        "k": s[1](at),
        "delta": 0.25,
    }
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
        {
            "f": lambda j, r=r: (-r) ** int(j),
            "g": lambda j, r=r: abs(r) ** int(j),
            "L": 1 / (1 - abs(r)),
        }
        for r in (0.5, -0.25, 0.6)
    ],
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
def test_a_wrong_axiom_would_be_noticed(
    name: str, about: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The conclusion about something one larger."""
    honest = axioms.formula(name, about)

    def spoiled(p: Any) -> Any:
        *before, last = p.args
        if isinstance(p, K.All) or (isinstance(p, Imp) and last != FALSE):
            return p.func(*before, spoiled(last))
        if isinstance(p, (K.Le, Lt)):
            return p.func(before[0] + 3 * K.Max2(last, -last) + 3, last)
        return p.func(*before, last + 1)

    monkeypatch.setattr(axioms, "formula", lambda *_: spoiled(honest))
    assert False in truths(name, about)
