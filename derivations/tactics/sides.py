"""Side conditions: signs, non-vanishing, and bounds that hold by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.signs import match
from derivations.kernel.terms import Eq, Imp, Le, Lt, Max2, Refused, Term
from derivations.tactics.steps import (
    Step,
    arith,
    asking,
    assume,
    closed,
    discharge,
    fresh_of,
    gen,
    innermost,
    inst,
    lam,
    mp,
    restate,
    step,
    strip,
)


def sign_step(h: Term, known: Sequence[Step]) -> Step | None:
    """l <= r or l < r from the structural signs of r - l."""
    norm = asking(known)
    d = h.args[1] - h.args[0]
    for t in (d, norm.term(d)):
        ask = norm.signs.positive if isinstance(h, Lt) else norm.signs.nonneg
        if ask(t):
            return arith(h, signs=known, nonneg=[t])
    return None


def nonzero_step(u: Term, known: Sequence[Step]) -> Step | None:
    """u = 0 -> 0 < 0, from a strict sign of u."""
    zero = assume(Eq(u, 0))
    for goal, sign in ((Lt(0, u), 1), (Lt(u, 0), -1)):
        strict = sign_step(goal, known)
        if strict is not None:
            return discharge(arith(Lt(0, 0), (1, strict), (sign, zero)), Eq(u, 0))
    return None


def side_condition(
    h: Term,
    norm: Normaliser,
    known: Sequence[Step],
    facts: Sequence[Step],
    search: Callable[..., Step] | None = None,
    depth: int = 0,
) -> Step | None:
    """A proof of h: something known, an instance of it, a sign, or a search; None if none."""
    for th in [*facts, *known]:
        found = instance_of(th, h, [*facts, *known])
        if found is not None:
            return found
    found = None
    try:
        if isinstance(h, (Le, Lt)):
            found = sign_step(h, known)
        elif isinstance(h, Imp) and h.args[1] == Lt(0, 0) and isinstance(h.args[0], Eq):
            sides: Term = h.args[0].args
            found = nonzero_step(sides[0] - sides[1], known)
            found = restate(found, h, known) if found is not None else None
        elif isinstance(h, K.All):
            return _for_all_members(h, norm, known, facts, search, depth)
        elif isinstance(h, Imp):
            return _under_assumption(h, known, facts, search, depth)
        if found is None and search is not None and isinstance(h, (Eq, Le, Lt)):
            found = search(h, facts, known, (), depth)
    except Refused:
        return None
    return found


def _for_all_members(h: Term, norm: Any, known: Any, facts: Any, search: Any, depth: int) -> Any:
    v = fresh_of(h.args[0])
    inner = side_condition(B.open_body(h.args[1], v), norm, known, facts, search, depth)
    return None if inner is None else step("generalise", inner, variable=v)


def _under_assumption(h: Term, known: Any, facts: Any, search: Any, depth: int) -> Any:
    more = [*known, assume(h.args[0])]
    norm = asking(more)
    inner = side_condition(h.args[1], norm, more, facts, search, depth)
    return None if inner is None else discharge(inner, h.args[0])


def instance_of(th: Step, h: Term, given: Sequence[Step]) -> Step | None:
    """th itself, or th at values of its quantifiers that make it h; what th supposes must be
    among the given."""
    if th.concl == h:
        return th
    if type(innermost(th.concl)) is not type(innermost(h)):
        return None
    th = closed(th)
    if th.concl == h:
        return th
    vs, hyps, body = strip(th.concl)
    if not (vs or hyps) or type(body) is not type(h):
        return None
    m = match(body, h, frozenset(vs), {})
    if m is None or not set(vs) <= set(m):
        return None
    th = inst(th, *[m[v] for v in vs])
    for _ in hyps:
        supposed = next((g for g in given if g.concl == th.concl.args[0]), None)
        if supposed is None:
            return None
        th = mp(th, supposed)
    return th


def consequences(new: Step, given: Sequence[Step]) -> list[Step]:
    """What the given implications make of a new fact: q(a) > 0 gives p(a) > 0 when q << p."""
    out: list[Step] = []
    for th in dict.fromkeys(given):
        vs, hyps, _ = strip(th.concl)
        m = match(hyps[0], new.concl, frozenset(vs), {}) if len(hyps) == 1 else None
        if m is not None:
            made = mp(inst(th, *[m.get(v, v) for v in vs]), new)
            out.append(gen(made, *[v for v in vs if v not in m]))
    return out


def larger_than(t: Term) -> list[Step]:
    """The bounds x <= max(x, y), y <= max(x, y), or f(a) <= max f for every a."""
    if isinstance(t, Max2):
        out = [step("larger", left=t.args[0], right=t.args[1])]
        other = step("larger", left=t.args[1], right=t.args[0])
        return [*out, restate(other, Le(t.args[1], t))]
    return [maximum_bound(t)]


def maximum_bound(t: K.Max) -> Step:
    """for all a: f(a) <= max f."""
    X = t.args[0]
    a = fresh_of(X, "a")
    th = step("axiom", name="finite_maximum_is_attained", about=None)
    symbols = {e.name: e for e in B.subterms(th.concl) if isinstance(e, (K.Fn, K.Fin))}
    values = {symbols["X"]: X} if symbols["X"] != X else {}
    values[symbols["f"]] = lam([a], B.opened(t, a))
    return step("instantiate", th, values=values)


def absolute_square(t: Term) -> list[Step]:
    """|x|^2 = x^2, when t is an absolute value."""
    ends: Term = t.args
    if not isinstance(t, Max2) or ends[0] + ends[1] != 0:
        return []
    z, x = fresh_of(K.REAL, "z"), ends[0]
    cases = [step("normal_form", left=y**2, right=x**2) for y in ends]
    formula = Eq(z**2, x**2)
    made = step("by_larger", *cases, variable=z, formula=formula, left=x, right=ends[1])
    return [made]
