"""What holds near a point: derivatives of functions that agree there, and Taylor's theorem."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Integer, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.signs import match
from derivations.kernel.terms import REAL, Eq, HasD, Imp, Inv, Lim, Lt, Refused, Term, Var, need
from derivations.tactics import cases, derivatives, limits
from derivations.tactics.sides import consequences, side_condition
from derivations.tactics.steps import (
    Step,
    arith,
    asking,
    assume,
    axiom,
    discharge,
    fresh_of,
    gen,
    instantiate,
    lam,
    mp,
    restate,
    strip,
)

Steps = Sequence[Step]


def derivative_nearby(goal: Term, v: Var, body: Term, facts: Steps, known: Steps) -> Step:
    """g' = d at a point c where body' = d, because g = body for all v with (v - a)^2 < delta, a
    neighbourhood that a cited fact names and in which c lies."""
    g, at, d = B.open_body(goal.args[0], v), goal.args[1], goal.args[2]
    quotient = lambda f: (f - B.substitute(f, {v: at})) * Inv(v - at)  # noqa: E731
    th = derivatives.prove_derivative(HasD(B.close_body(v, body), at, d), facts, known)
    th = mp(axiom("derivative_gives_quotient", f=lam([v], body), c=at, k=d), th)
    inside = _inside(at, facts, known)
    radius, positive, near = _ball(v, at, inside)
    away, close = assume(Lt(0, (v - at) ** 2)), assume(Lt((v - at) ** 2, radius))
    same = _agree(Eq(body, g), mp(near, close), facts, known)
    same_there = _agree(B.substitute(Eq(body, g), {v: at}), inside, facts, known)
    weight = Inv(v - at)
    equal = arith(Eq(quotient(body), quotient(g)), (weight, same), (-weight, same_there))
    values = {"f": lam([v], quotient(body)), "g": lam([v], quotient(g)), "L": d, "delta": radius}
    law = axiom("limit_is_local", K.Near(at), **values)
    th = mp(law, th, positive, gen(discharge(equal, away.concl, close.concl), v))
    return mp(axiom("quotient_gives_derivative", f=lam([v], g), c=at, k=d), th)


def _inside(at: Term, facts: Steps, known: Steps) -> Step:
    """(at - a)^2 < delta for the neighbourhood that some fact is about."""
    for th in facts:
        vs, hyps, _ = strip(th.concl)
        for h in hyps[:1]:
            square = h.args[0] if isinstance(h, Lt) else None
            reals = [v for v in vs if v.sort == REAL and v in B.variables(h)]
            if isinstance(square, Pow) and square.exp == 2 and len(reals) == 1:
                wanted = B.substitute(h, {reals[0]: at})
                found = side_condition(wanted, asking(known), known, facts)
                if found is not None:
                    return found
    raise K.Refused(f"no cited fact holds in a neighbourhood that contains {at}")


def _agree(goal: Term, inside: Step, facts: Steps, known: Steps) -> Step:
    more = [inside, *consequences(inside, [*facts, *known])]
    return cases.derive(goal, [*facts, *more], [*known, *more])


def _ball(v: Var, at: Term, inside: Step) -> tuple[Term, Step, Step]:
    """For (at - a)^2 < delta: a radius, its sign, and  (v - at)^2 < radius -> (v - a)^2 < delta."""
    x, u, e = (fresh_of(REAL, n) for n in "xue")
    room = e - x**2  # the radius is room^2/(4 delta)
    given = [assume(Lt(x**2, e)), assume(Lt(u**2, room**2 * Inv(4 * e)))]
    wide = arith(Lt(0, e), (1, given[0]), squares=[(1, x)])
    signs = [wide, arith(Lt(0, room), (1, given[0]))]
    positive = arith(Lt(0, room**2 * Inv(4 * e)), signs=signs, nonneg=[room**2 * Inv(4 * e)])
    ratio = 2 * e * Inv(room)
    close = arith(
        Lt((x + u) ** 2, e),
        (1 + ratio, given[1]),
        signs=signs,
        squares=[(Inv(ratio), x - ratio * u)],
        nonneg=[room**2 * Inv(4 * e)],
    )
    square, delta = inside.concl.args
    values = {x: square.base if isinstance(square, Pow) else Integer(0), e: delta, u: v - at}
    first = given[0].concl
    positive, close = (instantiate(discharge(th, first), values) for th in (positive, close))
    inside = restate(inside, B.substitute(first, values))
    positive, close = mp(positive, inside), mp(close, inside)
    radius = positive.concl.args[1]
    return radius, positive, discharge(close, Lt((v - at) ** 2, radius))


def taylor(goal: Term, v: Var, jet: Sequence[Term], facts: Steps, known: Steps) -> Step:
    """The limit of an expression in f as v -> c, from f and its derivatives, the last one at c."""
    F, body, target = goal.args[0], B.open_body(goal.args[1], v), goal.args[2]
    need(isinstance(F, K.Near), "Taylor's theorem is about v -> c")
    values = {f"f{j}": lam([v], t) for j, t in enumerate(jet)}
    law = axiom("taylor_with_peano_remainder", Integer(len(jet) - 1), c=F.args[0], **values)
    law = _with_neighbourhood(law, facts)
    while isinstance(law.concl, Imp):
        premise = law.concl.args[0]
        proof = side_condition(premise, asking(known), known, facts)
        if proof is None and isinstance(premise, HasD):
            proof = derivatives.prove_derivative(premise, facts, known)
        if proof is None:
            raise Refused(f"Taylor's theorem needs what is not known here: {premise}")
        law = mp(law, proof)
    rest = B.open_body(law.concl.args[1], v)
    constant = axiom("limit_of_constant", F, y=target)
    functions = {"f": lam([v], rest), "g": lam([v], target), "L": 0, "M": target}
    th = mp(axiom("limit_of_sum", F, **functions), law, constant)
    th = restate(th, Lim(F, B.close_body(v, rest + target), target))
    local = {"f": lam([v], rest + target), "g": lam([v], body), "L": target}

    def same(p: Term, guards: list[Step]) -> Step:
        x = v - F.args[0]
        nonzero = [derivatives._never_zero(s, guards[0]) for s in (x, -x)]
        return cases.derive(p, [*facts, *guards], [*known, *guards, *nonzero])

    return limits._eventually(mp(axiom("limit_is_local", F, **local), th), F, v, known, same)


def _with_neighbourhood(law: Step, facts: Steps) -> Step:
    """The law for the delta of the cited derivative that holds near the point."""
    delta = Var("delta", REAL)
    near = [h for h in strip(law.concl)[1] if isinstance(h, K.All)]
    for th in facts:
        m = match(near[0], th.concl, frozenset([delta]), {}) if near else {delta: Integer(1)}
        if m is not None:
            return instantiate(law, m)
    raise K.Refused("no cited derivative holds in a neighbourhood of the point")
