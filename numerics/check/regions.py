"""Where a specification is flat, where it has kinks, and two facts about it: decided, not sampled.

    L(rho, A) = -(loss of one token),   rho = exp(logp - logp_old) > 0,   A the advantage

Cases come from the maxima in the term. For a fixed sign of A each comparison between two cases
must be a power of A times a quotient of polynomials in rho; between two neighbouring positive roots
of these nothing changes sign, so one rational point in each interval decides all of it. That is a
cylindrical decomposition in one variable, done in exact numbers: no solver is needed. Where the
cases are of this kind and a value is not (a sigmoid of rho), cases, kinks and slopes are still
exact, and a claim about the values is decided by an exact counterexample or not at all. A
specification outside this class is refused.
"""

import inspect
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp

from numerics.check.one_variable import along, at, between, is_zero, ordered, positive_roots
from numerics.check.pieces import (
    ADV,
    FROZEN,
    LOGP,
    RHO,
    of_a_response,
    pieces,
    tidy,
    without_penalty,
)
from numerics.errors import UnusableInput
from numerics.objective import Objective
from numerics.objectives import reference

SIGNS = (1, -1)
TRIED = ("1/10", "1/2", "1", "2", "10")  # ratios at which a claim may be refuted
PENALTY = "the penalty in logp_ref is left out: it adds a gradient of its own, whatever A is"
RESPONSE = "of a response, here of one token: rho is the ratio of the response"


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
    """A statement: true, false at the point that `witness` holds, or None, and `witness` says why
    it is not decided.
    """

    statement: str
    holds: bool | None
    witness: str = ""


@dataclass(frozen=True)
class Regions:
    """The whole answer for one specification.

    name     the objective
    text     the specification that was read
    regions  intervals of rho, first for A > 0
    kinks    where one-sided slopes differ
    decided  pessimism and the on-policy slopes
    notes    what was left out of the term, and what stands for a response
    """

    name: str
    text: str
    regions: tuple[Region, ...]
    kinks: tuple[Kink, ...]
    decided: tuple[Decided, ...]
    notes: tuple[str, ...] = ()


def regions(objective: Objective) -> Regions:
    """The case table of what the objective claims by `like=` or `spec=`.

    Raises: UnusableInput for what is no function of (rho, A), and where nothing is claimed.
    """
    text, whole = claimed_term(objective)
    term, penalised = without_penalty(whole)
    notes = (PENALTY,) * penalised + (RESPONSE,) * of_a_response(term)
    cases = pieces(-term, objective.where)
    found = tuple(region for sign in SIGNS for region in _of_sign(cases, sign, objective.where))
    decided = (_pessimism(found), *(_on_policy(found, sign) for sign in SIGNS))
    return Regions(objective.name, text, found, tuple(_kinks(found)), decided, notes)


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
            roots |= set(positive_roots(along(condition, sign, where), where))
    bounds = [sp.Integer(0), *ordered(roots), sp.oo]
    found: list[Region] = []
    for low, high in pairwise(bounds):
        point = between(low, high)
        value = next(c.value for c in cases if _holds(c.conditions, sign, point))
        if found and is_zero(found[-1].value - value):
            low = found.pop().low
        found.append(_region(sign, low, high, value))
    return found


def _region(sign: int, low: sp.Expr, high: sp.Expr, value: sp.Expr) -> Region:
    slope = tidy(sp.diff(value, RHO))
    weight = tidy((RHO * slope + sp.diff(value, LOGP)).subs(FROZEN, RHO))
    return Region(sign, low, high, tidy(value), slope, sp.S.Zero if is_zero(weight) else weight)


def _holds(conditions: tuple[sp.Expr, ...], sign: int, point: sp.Expr) -> bool:
    put = {RHO: point, FROZEN: point, ADV: sp.Integer(sign)}
    return all(bool(at(condition, put) >= 0) for condition in conditions)


def _kinks(found: tuple[Region, ...]) -> list[Kink]:
    kinks = []
    for left, right in pairwise(found):
        if left.sign != right.sign:
            continue
        bound = right.low
        slopes = [tidy(region.weight.subs(RHO, bound)) for region in (left, right)]
        both = {RHO: bound, FROZEN: bound}
        jump = tidy(at(right.value, both) - at(left.value, both))
        if not (is_zero(slopes[0] - slopes[1]) and is_zero(jump)):
            kinks.append(Kink(left.sign, bound, slopes[0], slopes[1], jump))
    return kinks


def _pessimism(found: tuple[Region, ...]) -> Decided:
    """L <= rho A everywhere: the sign of the difference between its own roots."""
    statement = "pessimistic: L <= rho A for every rho > 0 and both signs of A"
    if any(LOGP in region.value.free_symbols for region in found):
        why = "L holds logp itself; only its gradient has a meaning"
        return Decided(statement, None, why)
    for region in found:
        for point in _telling(region):
            told = _above(region, point)
            if told:
                return Decided(statement, False, told)
    if all(map(_decides, found)):
        return Decided(statement, True)
    return Decided(statement, None, "L - rho A is no quotient of polynomials; no counterexample")


def _gap(region: Region) -> sp.Expr:
    """(L - rho A) / |A|^k in rho alone."""
    gap = tidy(region.value.subs(FROZEN, RHO) - RHO * ADV)
    return along(gap, region.sign, "pessimism")


def _decides(region: Region) -> bool:
    try:
        positive_roots(_gap(region), "pessimism")
    except UnusableInput:
        return False
    return True


def _telling(region: Region) -> list[sp.Expr]:
    """A point between every two roots of the difference, or a few where these are not known."""
    if not _decides(region):
        tried = [sp.Rational(ratio) for ratio in TRIED]
        return [point for point in tried if region.low < point and point < region.high]
    roots = positive_roots(_gap(region), "pessimism")
    inside = {root for root in roots if region.low < root and root < region.high}
    bounds = [region.low, *ordered(inside), region.high]
    return [between(low, high) for low, high in pairwise(bounds)]


def _above(region: Region, point: sp.Expr) -> str:
    """The counterexample at a point, or nothing."""
    put = {RHO: point, ADV: sp.Integer(region.sign), FROZEN: point}
    value = at(region.value, put)
    if not bool(value > region.sign * point):
        return ""
    told = f"A = {region.sign}, rho = {_short(point)}: L = {_short(value)}"
    return f"{told} > {_short(region.sign * point)} = rho A"


def _on_policy(found: tuple[Region, ...], sign: int) -> Decided:
    """dL/d logp = A at rho = 1, from both sides."""
    side = "A > 0" if sign > 0 else "A < 0"
    statement = f"on-policy slope: dL/d log pi = A at rho = 1 ({side})"
    for region in found:
        if region.sign == sign and region.low <= 1 and region.high >= 1:
            slope = tidy(region.weight.subs(RHO, 1))
            if not is_zero(slope - ADV):
                return Decided(statement, False, f"it is {slope}")
    return Decided(statement, True)


def _short(number: sp.Expr) -> str:
    return f"{float(number):.6g}"
