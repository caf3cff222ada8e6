"""Limits and derivatives of a function that is first written otherwise, difference quotients, and
dominated series."""

from __future__ import annotations

from collections.abc import Sequence

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.signs import match
from derivations.kernel.terms import NAT, REAL, Eq, HasD, Le, Lim, Max2, Term, Var, need
from derivations.tactics import cases, derivatives, limits, neighbourhoods
from derivations.tactics.explain import Unexplained
from derivations.tactics.limits import value
from derivations.tactics.steps import (
    Step,
    arith,
    axiom,
    closed,
    fresh_of,
    gen,
    inst,
    lam,
    mp,
    restate,
    step,
    strip,
)

Steps = Sequence[Step]


def limit_via(goal: Term, v: Var, body: Term, facts: Steps, known: Steps) -> Step:
    """f -> L because f = body for every v, and body -> L."""
    F, f, target = goal.args[0], B.open_body(goal.args[1], v), goal.args[2]
    th = limits.prove_limit(Lim(F, B.close_body(v, body), target), facts, known)
    law = axiom("limit_is_local", F, f=lam([v], body), g=lam([v], f), L=target)

    def same(p: Term, guards: list[Step]) -> Step:
        return cases.derive(p, [*facts, *guards], [*known, *guards])

    return limits._eventually(mp(law, th), F, v, known, same)


def derivative_via(goal: Term, v: Var, body: Term, facts: Steps, known: Steps) -> Step:
    """f' = d because f = body for every v, or for all v near the point, and body' = d."""
    f, at, d = B.open_body(goal.args[0], v), goal.args[1], goal.args[2]
    try:
        same = gen(cases.derive(Eq(body, f), facts, known), v)
    except Unexplained:
        return neighbourhoods.derivative_nearby(goal, v, body, facts, known)
    th = derivatives.prove_derivative(HasD(B.close_body(v, body), at, d), facts, known)
    if v in B.variables(body):
        return restate(step("rewrite", th, same), goal, known)
    quotient = mp(axiom("derivative_gives_quotient", f=lam([v], body), c=at, k=d), th)
    law = axiom("quotient_gives_derivative", f=lam([v], f), c=at, k=d)
    wanted = B.open_body(law.concl.args[0].args[1], v)
    values = {"f": lam([v], B.open_body(quotient.concl.args[1], v)), "g": lam([v], wanted), "L": d}
    local = axiom("limit_is_local", K.Near(at), **values)

    def equal_quotients(p: Term, _: list[Step]) -> Step:
        here, there = inst(same, v), inst(same, at)
        return arith(p, (K.Inv(v - at), here), (-K.Inv(v - at), there))

    return mp(law, limits._eventually(mp(local, quotient), K.Near(at), v, known, equal_quotients))


def squeezed(goal: Term, v: Var, g: Term, facts: Steps, known: Steps) -> Step:
    """f -> L from |f - L| <= |g| for every v, and g -> 0."""
    F, body, target = goal.args
    null = limits.prove_limit(Lim(F, B.close_body(v, g), 0), facts, known)
    return limits.squeeze(B.open_body(body, v), target, g, null, F, v, facts, known)


def dominated(goal: Term, t: Var, g: Term, facts: Steps, known: Steps) -> Step:
    """The partial sums of f converge to its series: |f(t)| <= g(t), and the series of g does."""
    F, _, target = goal.args
    need(isinstance(target, K.Series) and isinstance(F, K.Infinity), "{} is no series", target)
    n = fresh_of(NAT, "n")
    f = B.opened(target, t)
    partial = B.bind_sum(g, t, K.Range(n))
    total = limits.limit_of(partial, F, n, facts, known)
    small = cases.derive(Le(Max2(f, -f), g), facts, known)
    law = axiom("dominated_series_converges", f=lam([t], f), g=lam([t], g), L=value(total))
    return restate(mp(law, gen(small, t), total), goal, known)


def from_quotient(goal: Term, facts: Steps) -> Step | None:
    """f'(c) = d when a fact says that (f(v) - f(c))/(v - c) -> d."""
    v = fresh_of(REAL, "v")
    f, at, d = B.open_body(goal.args[0], v), goal.args[1], goal.args[2]
    law = axiom("quotient_gives_derivative", f=lam([v], f), c=at, k=d)
    wanted = law.concl.args[0]
    for th in map(closed, facts):
        vs, hyps, q = strip(th.concl)
        if hyps or not isinstance(q, Lim):
            continue
        m = match(q, wanted, frozenset(vs), {})
        if m is not None and set(vs) <= set(m):
            return mp(law, inst(th, *[m[x] for x in vs]))
    return None


def differences(facts: Steps, F: Term) -> list[Step]:
    """What the stated derivatives at c say as v -> c: difference quotients, and continuity."""
    out: list[Step] = []
    for th in facts:
        th = closed(th)
        vs, hyps, q = strip(th.concl)
        if hyps or not isinstance(q, HasD) or K.Near(q.args[1]) != F:
            continue
        made = inst(th, *vs)
        x = fresh_of(REAL, "x")
        t = B.open_body(made.concl.args[0], x)
        values = {"f": lam([x], t), "c": q.args[1], "k": value(made)}
        quotient = mp(axiom("derivative_gives_quotient", **values), made)
        out += [gen(p, *vs) for p in (quotient, derivatives.continuity(made, t, x))]
    return out
