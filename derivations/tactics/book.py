"""The textbook surface: calc chains, claims, reasons, assumptions.

    claim(calc(lhs,
        ("=",  second line, by(flow, bellman)),
        ("<=", third line,  by(close))), name="contraction")

A reason explains a line from named facts.  Later lines see the *sign* of every earlier claim by
themselves; its equations and inequalities must be named to be used.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Eq, HasD, Le, Lim, Lt, Refused, Term, Var, need
from derivations.language.reasons import Hypothesis, Reason, flatten
from derivations.language.syntax import formula, term
from derivations.tactics import cases, derivatives, limits, neighbourhoods, quotients
from derivations.tactics.context import Claim, Line, current, step_of
from derivations.tactics.steps import (
    Step,
    arith,
    assume,
    closed,
    discharge,
    gen,
    inst,
    restate,
    step,
)

RELATIONS = {"=": Eq, "<=": Le, "<": Lt}


class LineRefused(Refused):
    """A line that its reasons do not justify."""

    def __init__(self, refused: Line, cause: Refused, number: int) -> None:
        self.refused, self.cause, self.number = refused, cause, number
        super().__init__(str(cause))


class by:
    """The reason of a line.

    by(*facts)                 explain the line from the facts
    split=t or (t, u)          t = 0 or t > 0, where t >= 0 is known
    letters=(i, j)             the indices are equal, or their delta is 0
    order=(t, u)               t <= u or u < t
    induct=n                   induction on a natural number or a word
    limit=n                    let n -> oo in the cited equations and inequalities
    squeeze=(v, g)             |f - L| <= |g| for every v and g -> 0, for a claim that f -> L
    via=(v, body)              the function is `body` for every v: its limit or derivative is sought
    dominated=(t, g)           |f(t)| <= g(t) and the series of g converges: so does that of f
    taylor=(v, f, f', f'')     Taylor at the point that v tends to, from these derivatives near it
    monotone_on=(v, f, low, high)  f(low) <= f(high) because f' >= 0 in between
    divide=m                   clear the factor m > 0

    For uniqueness cite two derivatives of one function and claim them equal.
    Raises: Refused for what is no term; a line that it does not explain is refused in the proof.
    """

    def __init__(
        self,
        *facts: Any,
        split: Any = (),
        letters: Any = None,
        order: Any = None,
        induct: Var | None = None,
        limit: Var | None = None,
        squeeze: tuple[Var, Any] | None = None,
        via: tuple[Var, Any] | None = None,
        dominated: tuple[Var, Any] | None = None,
        taylor: tuple[Any, ...] | None = None,
        monotone_on: Any = None,
        divide: Any = (),
    ) -> None:
        self.facts, self.line = facts, sys._getframe(1).f_lineno
        many = lambda x: tuple(x) if isinstance(x, (tuple, list)) else (x,)  # noqa: E731
        self.split = tuple(term(t) for t in many(split))
        self.units = tuple(term(t) for t in many(divide))
        self.letters, self.order, self.induct = letters, order, induct
        self.limit, self.squeeze, self.monotone_on = limit, squeeze, monotone_on
        self.via, self.dominated, self.taylor = via, dominated, taylor

    def how(self) -> str:
        """The method in words, for pages."""
        names = ("split", "letters", "order", "induct", "limit", "squeeze", "monotone_on")
        names += ("via", "dominated", "taylor")
        return next((n for n in names if getattr(self, n) not in (None, ())), "")


algebra = by()


def _prove(goal: Term, reason: by, facts: Sequence[Step], known: Sequence[Step]) -> Step:
    """The line `goal`, by the method that the reason names."""
    units = reason.units
    if isinstance(goal, (Lim, HasD)):
        return _analytic(goal, reason, facts, known)
    need(isinstance(goal, (Eq, Le, Lt)), "{} is not a line of a proof", goal)
    if reason.split:
        return cases.split_zero(goal, reason.split, facts, known, units)
    if reason.induct is not None:
        return cases.induction(goal, reason.induct, facts, known, units)
    if reason.letters is not None:
        return cases.split_letters(goal, reason.letters, facts, known, units)
    if reason.order is not None:
        pair = tuple(term(t) for t in reason.order)
        return cases.split_order(goal, pair, facts, known, units)  # type: ignore[arg-type]
    if reason.limit is not None:
        return limits.pass_to_limit(goal, reason.limit, facts, known)
    if reason.monotone_on is not None:
        return _monotone(goal, reason, facts, known)
    return cases.derive(goal, facts, known, units)


def _analytic(goal: Term, reason: by, facts: Sequence[Step], known: Sequence[Step]) -> Step:
    """A limit or a derivative, by the method that the reason names."""
    is_limit = isinstance(goal, Lim)
    if reason.via is not None:
        method = quotients.limit_via if is_limit else quotients.derivative_via
        return method(goal, reason.via[0], term(reason.via[1]), facts, known)
    if not is_limit:
        return derivatives.prove_derivative(goal, facts, known)
    if reason.taylor is not None:
        v, *jet = reason.taylor
        return neighbourhoods.taylor(goal, v, [term(t) for t in jet], facts, known)
    if reason.squeeze is not None:
        v, g = reason.squeeze
        return quotients.squeezed(goal, v, term(g), facts, known)
    if reason.dominated is not None:
        v, g = reason.dominated
        return quotients.dominated(goal, v, term(g), facts, known)
    return limits.prove_limit(goal, facts, known)


def _monotone(goal: Term, reason: by, facts: Sequence[Step], known: Sequence[Step]) -> Step:
    """monotone_on=(v, f, low, high): the goal follows from f(low) <= f(high)."""
    v, f, low, high = reason.monotone_on
    th = derivatives.monotone(term(f), v, term(low), term(high), facts, known)
    return cases.derive(goal, [th, *facts], known)


def _checked(goal: Term, reason: by, line: int, name: str = "") -> Step:
    """Prove a line in the current context, time it, and record it."""
    context = current()
    reasons = flatten(reason.facts)
    start = time.perf_counter()
    try:
        facts = [step_of(r) for r in reasons]
        start = time.perf_counter()  # the proof of a cited theorem is not this line's
        known = context.steps()
        prove = lambda g, f, k: _prove(g, reason, f, k)  # noqa: E731
        th = cases.introduce(goal, facts, known, prove)
        failure = None
    except Refused as e:
        failure = e
    seconds = time.perf_counter() - start
    names = tuple(r.name for r in reasons)
    made = Line(goal, names, reason.how(), line, seconds, name, tuple(context.assuming))
    if failure is not None:
        raise LineRefused(made, failure, len(context.lines) + 1) from None
    context.lines.append(made)
    if context.probe is not None:
        context.probe(context.lines[-1], lambda g: cases.introduce(g, facts, known, prove))
    return th


# ------------------------------------------------------------------ what authors write


def calc(lhs: Any, *steps: tuple[str, Any, by]) -> Claim:
    """A chain over =, <= and <: each line on its own, the strictest relation is the result.

    Raises: LineRefused for a line that its reason does not explain; outside a proof, Refused.
    """
    left = first = term(lhs)
    done: list[Step] = []
    strongest: type[Basic] = Eq
    for relation, rhs, reason in steps:
        kind, right = RELATIONS[relation], term(rhs)
        done.append(_checked(kind(left, right), reason, reason.line))
        if kind is Lt or (kind is Le and strongest is Eq):
            strongest = kind
        left = right
    if len(done) == 1:
        return Claim(done[0], "")
    return Claim(arith(strongest(first, left), *[(1, t) for t in done]), "")


def claim(what: Any, reason: by | None = None, name: str = "") -> Claim:
    """A formula with its reason, or a calc; free index variables become universal.

    Raises: LineRefused for a line that its reason does not explain; outside a proof, Refused.
    """
    context = current()
    if isinstance(what, Claim):
        th = what.proved
        if context.lines and not context.lines[-1].name:
            context.lines[-1] = replace(context.lines[-1], name=name)
    else:
        why = reason or by()
        line = reason.line if reason else sys._getframe(1).f_lineno
        th = _checked(formula(what), why, line, name)
    made = Claim(closed(th), name or f"line {len(context.lines)}")
    context.known.append(made.proved)
    context.claims.append(made)
    return made


class assuming(Reason):
    """with assuming(formula, ...) as h: ...; then conclude(h, claim) is  formulas -> claim."""

    def __init__(self, *formulas: Any, name: str = "assumption") -> None:
        self.hypotheses = [Hypothesis(name, formula(p)) for p in formulas]
        self.name = name

    def __enter__(self) -> assuming:
        context = current()
        self._depth = len(context.known), len(context.claims)
        context.known += [assume(h.formula) for h in self.hypotheses]
        context.assuming += [h.formula for h in self.hypotheses]
        return self

    def __exit__(self, *_: object) -> None:
        context = current()
        del context.known[self._depth[0] :]
        del context.claims[self._depth[1] :]
        del context.assuming[len(context.assuming) - len(self.hypotheses) :]

    def __iter__(self) -> Any:
        return iter(self.hypotheses)


def conclude(under: assuming, what: Claim, name: str = "", forall: Sequence[Var] = ()) -> Claim:
    """The assumptions imply the claim; for all values of `forall`, and of free indices."""
    context = current()
    th = what.step()
    vs = []
    while isinstance(th.concl, K.All):  # "for all a" comes first in what a theorem says
        vs.append(cases.fresh_of(th.concl.args[0]))
        th = inst(th, vs[-1])
    th = gen(discharge(th, *[h.formula for h in under.hypotheses]), *vs)
    made = Claim(closed(gen(th, *forall)), name or what.name)
    context.known.append(made.proved)
    context.claims.append(made)
    return made


def forall(what: Claim, *vs: Var) -> Claim:
    """A claim for all values of real variables that no hypothesis mentions."""
    made = Claim(closed(gen(what.step(), *vs)), what.name)
    current().known.append(made.proved)
    current().claims.append(made)
    return made


def by_induction(
    goal: Any, n: Var, base: Claim, grow: Callable[[Claim], Claim], name: str = ""
) -> Claim:
    """For all n: `base` is a calc for n = 0, `grow` makes one for n + 1 from the hypothesis."""
    p = formula(goal)
    hypothesis = Claim(assume(p), "induction hypothesis")
    at = lambda t: B.substitute(p, {n: K.as_term(t)})  # noqa: E731
    first = restate(base.step(), at(0), current().steps())
    following = restate(grow(hypothesis).step(), at(n + 1), current().steps())
    th = step("induction", first, following, variable=n, formula=p)
    made = Claim(closed(th), name or "induction")
    current().known.append(made.proved)
    current().claims.append(made)
    return made


def unique_derivative(first: Claim, second: Claim, name: str = "") -> Claim:
    """Two derivatives of the same function at the same point are equal."""
    th = derivatives.derivative_is_unique(first.step(), second.step())
    made = Claim(closed(th), name)
    current().known.append(made.proved)
    current().claims.append(made)
    return made


def square(x: Any) -> Claim:
    """0 <= x^2."""
    t = term(x)
    return Claim(arith(Le(0, t**2), squares=[(1, t)]), "a square")
