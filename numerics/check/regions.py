"""Where a specification is flat, where it has kinks, and two facts about it: decided, not sampled.

    L(rho, A) = -(loss of one token),   rho = exp(logp - logp_old) > 0,   A the advantage

Cases come from the maxima in the term. For a fixed sign of A each comparison between two cases
must be a power of A times a polynomial in rho; between two neighbouring positive roots of these
polynomials nothing changes sign, so one rational point in each interval decides all of it. That is
a cylindrical decomposition in one variable, done in exact numbers: no solver is needed, and a
specification outside this class is refused.
"""

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp

from numerics.check.pieces import ADV, FROZEN, LOGP, RHO, pieces
from numerics.errors import UnusableInput
from numerics.objective import Objective
from numerics.objectives import reference

SIGNS = (1, -1)


@dataclass(frozen=True)
class Region:
    """An interval of rho for one sign of A.

    sign    1 for A > 0, -1 for A < 0
    low     where it begins
    high    where it ends, possibly infinite
    value   L there, in rho and A
    slope   dL/d rho
    weight  dL/d logp
    """

    sign: int
    low: sp.Expr
    high: sp.Expr
    value: sp.Expr
    slope: sp.Expr
    weight: sp.Expr

    @property
    def flat(self) -> bool:
        """Whether a token there has no gradient."""
        return self.weight == 0


@dataclass(frozen=True)
class Kink:
    """A value of rho where the one-sided weights dL/d logp (or the values) differ.

    sign   1 for A > 0, -1 for A < 0
    at     the value of rho
    left   dL/d logp from below
    right  dL/d logp from above
    jump   by how much L itself jumps
    """

    sign: int
    at: sp.Expr
    left: sp.Expr
    right: sp.Expr
    jump: sp.Expr


@dataclass(frozen=True)
class Decided:
    """A statement that was decided: true, or false at the point that `witness` holds."""

    statement: str
    holds: bool
    witness: str = ""


@dataclass(frozen=True)
class Regions:
    """The whole answer for one specification.

    name     the objective
    text     the specification that was read
    regions  intervals of rho, first for A > 0
    kinks    where one-sided slopes differ
    decided  pessimism and the on-policy slopes
    """

    name: str
    text: str
    regions: tuple[Region, ...]
    kinks: tuple[Kink, ...]
    decided: tuple[Decided, ...]


def regions(objective: Objective) -> Regions:
    """The case table of what the objective claims by `like=` or `spec=`.

    Raises: UnusableInput for what is no function of (rho, A), and where nothing is claimed.
    """
    text, term = claimed_term(objective)
    cases = pieces(-term, objective.where)
    found = tuple(region for sign in SIGNS for region in _of_sign(cases, sign, objective.where))
    decided = (_pessimism(found), *(_on_policy(found, sign) for sign in SIGNS))
    return Regions(objective.name, text, found, tuple(_kinks(found)), decided)


def claimed_term(objective: Objective) -> tuple[str, Any]:
    """The kernel term of `like=` or `spec=`, and its name."""
    if objective.like is not None:
        known = reference(objective.like)
        if known.specification is None:
            raise UnusableInput(
                f"{known.name} has no specification of one token", objective.where, "a kernel term"
            )
        taken = inspect.signature(known.specification).parameters
        options = {name: value for name, value in objective.options.items() if name in taken}
        listed = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return f"{known.name}({listed})", known.specification(**options)
    if objective.spec is None or callable(objective.spec):
        raise UnusableInput(
            f"{objective.name} has no specification to read cases from",
            objective.where,
            "like= a reference objective, or spec= a kernel term",
            "a torch function" if callable(objective.spec) else "neither",
            hint="proofgrad identify names the reference objective that it equals, if there is one",
        )
    return "its spec=", objective.spec


def _of_sign(cases: list[Any], sign: int, where: str) -> list[Region]:
    """Regions for one sign of A, from left to right; neighbours with one formula are joined."""
    roots: set[sp.Expr] = set()
    for case in cases:
        for condition in case.conditions:
            roots |= set(_positive_roots(_along(condition, sign, where), where))
    bounds = [sp.Integer(0), *_ordered(roots), sp.oo]
    found: list[Region] = []
    for low, high in pairwise(bounds):
        point = _between(low, high)
        value = next(c.value for c in cases if _holds(c.conditions, sign, point))
        if found and sp.expand(found[-1].value - value) == 0:
            low = found.pop().low
        found.append(_region(sign, low, high, value))
    return found


def _region(sign: int, low: sp.Expr, high: sp.Expr, value: sp.Expr) -> Region:
    slope = sp.expand(sp.diff(value, RHO))
    weight = sp.expand((RHO * slope + sp.diff(value, LOGP)).subs(FROZEN, RHO))
    return Region(sign, low, high, sp.expand(value), slope, weight)


def _along(condition: sp.Expr, sign: int, where: str) -> sp.Expr:
    """q(rho) with condition = |A|^k q(rho) for this sign of A."""
    size = sp.Symbol("size", positive=True)
    put: Any = sp.expand(condition.subs(FROZEN, RHO).subs(ADV, sign * size))
    if LOGP in put.free_symbols:
        raise UnusableInput("a comparison depends on logp beyond rho", where, got=str(condition))
    degrees = sp.Poly(put, size).monoms() if put != 0 else []
    if len(degrees) > 1:
        raise UnusableInput(
            "cases that depend on the size of A, not on its sign", where, got=f"{condition} >= 0"
        )
    return _at(put, {size: sp.Integer(1)})


def _positive_roots(q: sp.Expr, where: str) -> list[sp.Expr]:
    if RHO not in q.free_symbols:
        return []
    if not q.is_polynomial(RHO):
        raise UnusableInput("a comparison that is no polynomial in rho", where, got=str(q))
    poly = sp.Poly(q, RHO)
    found: Any
    if poly.degree() == 1:  # also with coefficients such as e^20
        slope, constant = poly.all_coeffs()
        found = [-constant / slope]
    elif all(c.is_rational for c in poly.all_coeffs()):
        found = sp.real_roots(poly)
    else:
        raise UnusableInput("a comparison whose roots are not exact numbers", where, got=str(q))
    return [root for root in found if root > 0]


def _ordered(roots: Iterable[sp.Expr]) -> list[sp.Expr]:
    return sorted(roots, key=lambda root: sp.N(root, 50))


def _between(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """A rational number strictly between two bounds."""
    if high is sp.oo:
        return sp.ceiling(low) + 1
    middle = sp.Rational(str(sp.N((low + high) / 2, 40)))
    if not (low < middle and middle < high):
        raise ArithmeticError(f"no rational number found between {low} and {high}")
    return middle


def _holds(conditions: tuple[sp.Expr, ...], sign: int, point: sp.Expr) -> bool:
    put = {RHO: point, FROZEN: point, ADV: sp.Integer(sign)}
    return all(bool(_at(condition, put) >= 0) for condition in conditions)


def _at(expression: Any, put: dict[sp.Symbol, sp.Expr]) -> Any:
    """The expression with numbers for symbols."""
    return expression.xreplace(put)


def _kinks(found: tuple[Region, ...]) -> list[Kink]:
    kinks = []
    for left, right in pairwise(found):
        if left.sign != right.sign:
            continue
        at = right.low
        slopes = [sp.expand(region.weight.subs(RHO, at)) for region in (left, right)]
        both = {RHO: at, FROZEN: at}
        jump = sp.expand(_at(right.value, both) - _at(left.value, both))
        if slopes[0] != slopes[1] or jump != 0:
            kinks.append(Kink(left.sign, at, slopes[0], slopes[1], jump))
    return kinks


def _pessimism(found: tuple[Region, ...]) -> Decided:
    """L <= rho A everywhere: the sign of the difference between its own roots."""
    statement = "pessimistic: L <= rho A for every rho > 0 and both signs of A"
    for region in found:
        if LOGP in region.value.free_symbols:
            return Decided(statement, False, "L holds logp itself; only its gradient has a meaning")
        gap = sp.expand(region.value.subs(FROZEN, RHO) - RHO * ADV)
        q = _along(gap, region.sign, "pessimism")
        inside = [r for r in _positive_roots(q, "pessimism") if region.low < r and r < region.high]
        bounds = [region.low, *_ordered(set(inside)), region.high]
        for low, high in pairwise(bounds):
            point = _between(low, high)
            if q.subs(RHO, point) > 0:
                put = {RHO: point, ADV: sp.Integer(region.sign), FROZEN: point}
                value = _at(region.value, put)
                told = f"A = {region.sign}, rho = {_short(point)}: L = {_short(value)}"
                return Decided(statement, False, f"{told} > {_short(region.sign * point)} = rho A")
    return Decided(statement, True)


def _on_policy(found: tuple[Region, ...], sign: int) -> Decided:
    """dL/d logp = A at rho = 1, from both sides."""
    side = "A > 0" if sign > 0 else "A < 0"
    statement = f"on-policy slope: dL/d log pi = A at rho = 1 ({side})"
    for region in found:
        if region.sign == sign and region.low <= 1 and region.high >= 1:
            slope = sp.expand(region.weight.subs(RHO, 1))
            if slope != ADV:
                return Decided(statement, False, f"it is {slope}")
    return Decided(statement, True)


def _short(number: sp.Expr) -> str:
    return f"{float(number):.6g}"
