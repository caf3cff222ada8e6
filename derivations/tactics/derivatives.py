"""Derivatives by recursion on the term, and what follows: continuity, monotony, Taylor."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from sympy import Add, Integer, Mul, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.signs import match
from derivations.kernel.terms import REAL, Eq, HasD, Le, Lt, Term, Var, need
from derivations.tactics.explain import Unexplained
from derivations.tactics.limits import same_value, value
from derivations.tactics.sides import nonzero_step, side_condition, sign_step
from derivations.tactics.steps import (
    Step,
    asking,
    assume,
    axiom,
    closed,
    discharge,
    fresh_like,
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

Steps = Sequence[Step]


def derivative_of(t: Term, v: Var, at: Term, facts: Steps, known: Steps) -> Step:
    """|- t, as a function of v, has a derivative at `at` that the recursion finds."""
    if v not in B.variables(t):
        return restate(axiom("derivative_of_linear", k=0, y=t, c=at), _has(t, v, at, Integer(0)))
    if t == v:
        return restate(axiom("derivative_of_linear", k=1, y=0, c=at), _has(t, v, at, Integer(1)))
    for th in facts:
        found = _known_derivative(t, v, at, th, facts, known)
        if found is not None:
            return found
    if isinstance(t, (Add, Mul)):
        return _several(t, list(t.args), v, at, facts, known)
    if isinstance(t, Pow) and isinstance(t.exp, Integer):
        return _several(t, [t.base] * int(t.exp), v, at, facts, known)
    if isinstance(t, K.Sum) and isinstance(t.args[0], K.Fin):
        return _finite_sum(t, v, at, facts, known)
    if isinstance(t, (K.Inv, K.Exp, K.Log)):
        return _composed(t, v, at, facts, known)
    raise Unexplained(t, t, 0, f"no derivative is known for {t}")


def _has(t: Term, v: Var, at: Term, d: Term) -> Term:
    return HasD(B.close_body(v, t), at, d)


def _known_derivative(
    t: Term, v: Var, at: Term, th: Step, facts: Steps = (), known: Steps = ()
) -> Step | None:
    """A stated derivative of t, when what it supposes is known."""
    if not isinstance(innermost(th.concl), HasD):
        return None
    th = closed(th)
    vs, hyps, q = strip(th.concl)
    m = match(HasD(q.args[0], q.args[1], 0), _has(t, v, at, Integer(0)), frozenset(vs), {})
    if m is None or not set(vs) <= set(m):
        return None
    th = inst(th, *[m[x] for x in vs])
    for _ in hyps:
        supposed = side_condition(th.concl.args[0], asking(known), known, facts)
        if supposed is None:
            return None
        th = mp(th, supposed)
    return th


def _several(t: Term, parts: list[Term], v: Var, at: Term, facts: Steps, known: Steps) -> Step:
    total = isinstance(t, Add)
    name = "derivative_of_sum" if total else "derivative_of_product"
    so_far, th = parts[0], derivative_of(parts[0], v, at, facts, known)
    for x in parts[1:]:
        other = derivative_of(x, v, at, facts, known)
        values = {"f": lam([v], so_far), "g": lam([v], x), "L": value(th), "M": value(other)}
        th = mp(axiom(name, c=at, **values), th, other)
        so_far = so_far + x if total else so_far * x
    return restate(th, _has(t, v, at, value(th)))


def _finite_sum(t: Term, v: Var, at: Term, facts: Steps, known: Steps) -> Step:
    X = t.args[0]
    a = fresh_of(X, "a")
    each = derivative_of(B.opened(t, a), v, at, facts, known)
    values = {"X": X, "f": lam([v, a], B.opened(t, a)), "l": lam([a], value(each)), "c": at}
    if K.Fin("X") == X:
        del values["X"]
    return mp(axiom("derivative_of_finite_sum", **values), gen(each, a))


def _composed(t: Term, v: Var, at: Term, facts: Steps, known: Steps) -> Step:
    inner = t.args[0]
    th = derivative_of(inner, v, at, facts, known)
    x = fresh_of(REAL, "x")
    place = B.substitute(inner, {v: at})
    outer = basic_derivative(t.func(x), x, place, [*known, *facts])
    values = {"f": lam([x], t.func(x)), "g": lam([v], inner), "L": value(th), "M": value(outer)}
    return mp(axiom("derivative_of_composition", c=at, **values), th, outer)


def basic_derivative(t: Term, x: Var, at: Term, known: Steps) -> Step:
    """The derivative of 1/x, exp x or log x at a point where it exists."""
    if isinstance(t, K.Exp):
        return axiom("derivative_of_exponential", c=at)
    if isinstance(t, K.Log):
        positive = sign_step(Lt(0, at), known)
        if positive is None:
            raise Unexplained(t, t, 0, f"log is differentiated at {at}, not known to be positive")
        return mp(axiom("derivative_of_logarithm", c=at), positive)
    nonzero = nonzero_step(at, known)
    if nonzero is None:
        raise Unexplained(t, t, 0, f"1/x is differentiated at {at}, which may be 0")
    return mp(axiom("derivative_of_reciprocal", c=at), nonzero)


def continuous_at(t: Term, x: Var, at: Term, known: Steps) -> Step:
    """|- t -> t(at) as x -> at, for t one of 1/x, exp x, log x."""
    return continuity(basic_derivative(t, x, at, known), t, x)


def continuity(th: Step, t: Term, x: Var) -> Step:
    """A function with a derivative at a point tends to its value there."""
    from derivations.tactics.limits import limit_of

    at, F = th.concl.args[1], K.Near(th.concl.args[1])
    there = B.substitute(t, {x: at})
    quotient = mp(axiom("derivative_gives_quotient", f=lam([x], t), c=at, k=value(th)), th)
    q = (t - there) * K.Inv(x - at)
    change = limit_of(q * (x - at) + there, F, x, [quotient], known := [])
    del known
    law = axiom(
        "limit_is_local", F, f=lam([x], q * (x - at) + there), g=lam([x], t), L=value(change)
    )
    from derivations.tactics.limits import _eventually

    near = _eventually(mp(law, change), F, x, [], _cancelled)
    return restate(near, K.Lim(F, B.close_body(x, t), there))


def _cancelled(goal: Term, guards: list[Step]) -> Step:
    """(x - c)/(x - c) = 1, since 0 < (x - c)^2."""
    square = guards[0].concl.args[1]
    base = square.base if isinstance(square, Pow) else square
    nonzero = [_never_zero(x, guards[0]) for x in (base, -base)]
    return step("normal_form", *nonzero, left=goal.args[0], right=goal.args[1])


def _never_zero(x: Term, positive: Step) -> Step:
    """x = 0 -> 0 < 0, from 0 < x^2."""
    z, zero = fresh_of(REAL, "z"), assume(Eq(x, 0))
    square = restate(positive, Lt(0, x**2))
    absurd = step("substitute_equals", zero, square, variable=z, formula=Lt(0, z**2))
    return discharge(restate(absurd, Lt(0, 0)), Eq(x, 0))


def prove_derivative(goal: Term, facts: Steps, known: Steps) -> Step:
    """A stated derivative: the recursion's value is then shown to be the stated one."""
    from derivations.tactics.quotients import from_quotient

    found = from_quotient(goal, facts)
    if found is not None:
        return found
    v = fresh_of(REAL, "v")
    body, at = B.open_body(goal.args[0], v), goal.args[1]
    th = derivative_of(body, v, at, facts, known)
    return same_value(
        th, goal, [f for f in facts if not isinstance(innermost(f.concl), HasD)], known
    )


def derivative_is_unique(first: Step, second: Step) -> Step:
    """Two derivatives of the same function at the same point are equal."""
    first = inst(first, *strip(first.concl)[0])
    f, at, d = first.concl.args
    x = fresh_of(REAL, "x")
    other = _known_derivative(B.open_body(f, x), x, at, second)
    need(other is not None, "not two derivatives of one function at one point")
    second = other or second
    g = lam([x], B.open_body(f, x))
    limits = [
        mp(axiom("derivative_gives_quotient", f=g, c=at, k=value(th)), th) for th in (first, second)
    ]
    quotient = lam([x], B.open_body(limits[0].concl.args[1], x))
    unique = axiom("limit_is_unique", K.Near(at), f=quotient, L=d, M=value(second))
    return mp(unique, *limits)


def monotone(t: Term, v: Var, low: Term, high: Term, facts: Steps, known: Steps) -> Step:
    """t(low) <= t(high) when the derivative that the recursion finds is >= 0 in between."""
    from derivations.tactics.cases import derive

    w = fresh_like(v)
    inside = [assume(Le(low, w)), assume(Le(w, high))]
    hyps = [s.concl for s in inside]
    with suppress(Unexplained):  # above a positive bound lie positive numbers only
        inside.append(derive(Lt(0, w), [*facts, *inside], known))
    slope = derivative_of(t, v, w, facts, [*known, *inside])
    sign = derive(Le(0, value(slope)), [*facts, *inside], [*known, *inside])
    values = {"f": lam([v], t), "g": lam([w], value(slope)), "y": low, "w": high}
    law = axiom("nonnegative_derivative_is_monotone", **values)
    order = sign_step(law.concl.args[0], known) or derive(law.concl.args[0], facts, known)
    law = mp(law, order)
    parts = [gen(discharge(p, *hyps), w) for p in (slope, sign)]
    return mp(law, *parts)


def is_derivative(p: Term) -> bool:
    return isinstance(p, HasD)
