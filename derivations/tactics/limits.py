"""Limits by recursion on the term: constants, sums, products, reciprocals, |x|, finite sums."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sympy import Add, Integer, Mul, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.signs import match
from derivations.kernel.terms import NAT, REAL, Eq, Le, Lim, Lt, Max2, Refused, Term, Var
from derivations.tactics.explain import Unexplained, explain
from derivations.tactics.sides import nonzero_step, side_condition
from derivations.tactics.steps import (
    Step,
    arith,
    assume,
    axiom,
    closed,
    discharge,
    fresh_of,
    gen,
    innermost,
    inst,
    is_relation,
    lam,
    mp,
    restate,
    step,
    strip,
)

Steps = Sequence[Step]


def limit_of(t: Term, F: Term, v: Var, facts: Steps, known: Steps) -> Step:
    """|- t -> L along F, for an L that the recursion finds; `Unexplained` where it finds none."""
    if v not in B.variables(t):
        return axiom("limit_of_constant", F, y=t)
    for th in facts:
        found = _known_limit(t, F, v, th)
        if found is not None:
            return found
    if t == v and not isinstance(F, K.Infinity):
        return axiom("limit_of_identity", F)
    if isinstance(t, (Add, Mul)):
        return _several(t, F, v, facts, known)
    if isinstance(t, Pow) and isinstance(t.exp, Integer):
        return _several(t, F, v, facts, known)
    if isinstance(t, K.Sum) and isinstance(t.args[0], K.Fin):
        return _finite_sum(t, F, v, facts, known)
    if isinstance(t, K.Sum) and (outside := _constant_outside(t)) is not None:
        th = limit_of(outside, F, v, facts, known)
        return restate(th, _lim(F, v, t, value(th)))
    ends: Term = t.args
    if isinstance(t, Max2) and ends[0] + ends[1] == 0:
        return _absolute(ends[0], F, v, facts, known)
    if isinstance(t, (K.Inv, K.Exp, K.Log)):
        return _composed(t, F, v, facts, known)
    raise Unexplained(t, t, 0, f"no limit is known for {t}")


def _lim(F: Term, v: Var, t: Term, limit: Term) -> Term:
    return Lim(F, B.close_body(v, t), limit)


def value(th: Step) -> Term:
    """The limit that a step states."""
    return th.concl.args[2]


def _known_limit(t: Term, F: Term, v: Var, th: Step) -> Step | None:
    """An instance of a stated limit (also at n + 1), or continuity from a stated derivative."""
    if not isinstance(innermost(th.concl), Lim):
        return None
    th = closed(th)
    vs, hyps, q = strip(th.concl)
    if hyps or type(q.args[0]) is not type(F):
        return None
    shifts = (0, 1) if isinstance(F, K.Infinity) else (0,)
    for k in shifts:
        pattern = _lim(F, v, B.open_body(q.args[1], v + k), q.args[0])
        whole = _lim(F, v, t, q.args[0])
        m = match(pattern.args[1], whole.args[1], frozenset(vs), {})
        if m is None or not set(vs) <= set(m):
            continue
        made = inst(th, *[m[x] for x in vs])
        if k:
            f = lam([v], B.open_body(made.concl.args[1], v))
            made = mp(axiom("limit_of_shift", f=f, L=value(made)), made)
        if made.concl == _lim(F, v, t, value(made)):
            return made
    return None


def _law(name: str, F: Term, v: Var, *premises: Step, **values: Term) -> Step:
    """Apply an axiom about functions of v to limits already found."""
    made = {n: lam([v], x) if n in ("f", "g") else x for n, x in values.items()}
    return mp(axiom(name, F, **made), *premises)


def _several(t: Term, F: Term, v: Var, facts: Steps, known: Steps) -> Step:
    """Sums, products and literal powers, two at a time."""
    power = isinstance(t, Pow)
    parts = [t.base] * int(t.exp) if power else _grouped(t, F, v, facts)
    name = "limit_of_sum" if isinstance(t, Add) else "limit_of_product"
    join = (lambda x, y: x + y) if isinstance(t, Add) else (lambda x, y: x * y)
    so_far, th = parts[0], limit_of(parts[0], F, v, facts, known)
    for x in parts[1:]:
        other = limit_of(x, F, v, facts, known)
        th = _law(name, F, v, th, other, f=so_far, g=x, L=value(th), M=value(other))
        so_far = join(so_far, x)
    return restate(th, _lim(F, v, t, value(th)))


def _grouped(t: Term, F: Term, v: Var, facts: Steps) -> list[Term]:
    """The factors of t, with two of them together where their product has a stated limit (a
    difference quotient is such a product)."""
    parts = list(t.args)
    if not isinstance(t, Mul):
        return parts
    for x, y in combinations(parts, 2):
        if any(_known_limit(x * y, F, v, th) is not None for th in facts):
            return [x * y, *[z for z in parts if z not in (x, y)]]
    return parts


def _constant_outside(t: Term) -> Term | None:
    """sum_t c f(t) as c sum_t f(t), when a factor does not depend on t."""
    i = fresh_of(B.scope_sort(t))
    factors = Mul.make_args(B.opened(t, i))
    out = [x for x in factors if i not in B.variables(x)]
    if not out:
        return None
    return Mul(*out, B.bind_sum(Mul(*[x for x in factors if x not in out]), i, t.args[0]))


def _finite_sum(t: Term, F: Term, v: Var, facts: Steps, known: Steps) -> Step:
    X = t.args[0]
    a = fresh_of(X, "a")
    each = limit_of(B.opened(t, a), F, v, facts, known)
    values = {"X": X, "f": lam([v, a], B.opened(t, a)), "l": lam([a], value(each))}
    return mp(_about(X, "limit_of_finite_sum", F, values), gen(each, a))


def _about(X: Term, name: str, F: Term | None, values: dict[str, Term]) -> Step:
    """An axiom about a set, which may already be called X."""
    if K.Fin("X") == X:
        del values["X"]
    return axiom(name, F, **values)


def _absolute(x: Term, F: Term, v: Var, facts: Steps, known: Steps) -> Step:
    """|x| -> |L| from ||x| - |L|| <= |x - L|."""
    th = limit_of(x, F, v, facts, known)
    target = value(th)
    minus = axiom("limit_of_constant", F, y=-target)
    null = _law("limit_of_sum", F, v, th, minus, f=x, g=-target, L=target, M=-target)
    null = restate(null, _lim(F, v, x - target, Integer(0)))
    size = lambda y: Max2(y, -y)  # noqa: E731
    return squeeze(size(x), size(target), x - target, null, F, v, [], known)


def squeeze(
    t: Term, target: Term, g: Term, null: Step, F: Term, v: Var, facts: Steps, known: Steps
) -> Step:
    """t -> target from |t - target| <= |g| for every v and g -> 0."""
    from derivations.tactics.cases import derive

    law = _law("limit_by_squeezing", F, v, null, f=t, g=g, L=target)

    def near(goal: Term, guards: list[Step]) -> Step:
        bound = side_condition(Le(goal.args[0], g), None, (), facts)  # type: ignore[arg-type]
        if bound is None:
            return derive(goal, [*facts, *guards], [*known, *guards])
        return arith(goal, (1, bound), (1, step("larger", left=g, right=-g)))

    return _eventually(law, F, v, known, near)


def _eventually(law: Step, F: Term, v: Var, known: Steps, prove: object) -> Step:
    """Discharge the "eventually" premise of a law by proving its body for every v."""
    if not isinstance(F, K.Infinity):
        law = mp(law, arith(Lt(0, 1), nonneg=[1]))
    premise = law.concl.args[0]
    guards, body = [], B.open_body(premise.args[1], v)
    while isinstance(body, K.Imp):
        guards.append(body.args[0])
        body = body.args[1]
    proof = prove(body, [assume(g) for g in guards])  # type: ignore[operator]
    return mp(law, gen(discharge(proof, *guards), v))


def _composed(t: Term, F: Term, v: Var, facts: Steps, known: Steps) -> Step:
    """1/x, exp x and log x are continuous where they are differentiable."""
    from derivations.tactics.derivatives import continuous_at

    inner = t.args[0]
    th = limit_of(inner, F, v, facts, known)
    at = value(th)
    if isinstance(t, K.Inv):
        nonzero = nonzero_step(at, [*known, *facts])
        if nonzero is None:
            raise Unexplained(t, t, 0, f"the limit {at} of the denominator may be 0")
        return _law("limit_of_reciprocal", F, v, th, nonzero, f=inner, L=at)
    x = fresh_of(REAL, "x")
    outer = continuous_at(t.func(x), x, at, [*known, *facts])
    values = {"g": lam([v], inner), "h": lam([x], t.func(x)), "M": at}
    return mp(axiom("limit_of_composition", F, **values), th, outer)


def prove_limit(goal: Term, facts: Steps, known: Steps) -> Step:
    """A stated limit: the recursion's value is then shown to be the stated one."""
    F = goal.args[0]
    from derivations.tactics.quotients import differences

    v = fresh_of(B.scope_sort(goal), "v")
    body = B.open_body(goal.args[1], v)
    th = limit_of(body, F, v, [*facts, *differences(facts, F)], known)
    return same_value(th, goal, facts, known)


def same_value(th: Step, goal: Term, facts: Steps, known: Steps) -> Step:
    """Replace the last argument of a limit or a derivative by an equal one."""
    found, wanted = th.concl.args[-1], goal.args[-1]
    if found != wanted:
        from derivations.tactics.cases import derive

        eq = derive(Eq(found, wanted), [f for f in facts if is_relation(innermost(f.concl))], known)
        z = fresh_of(REAL, "z")
        form = th.concl.func(*th.concl.args[:-1], z)
        th = step("substitute_equals", eq, th, variable=z, formula=form)
    return restate(th, goal, known)


def pass_to_limit(goal: Term, n: Var, facts: Steps, known: Steps) -> Step:
    """Let n -> oo on both sides of every equation and inequality about n, then explain the goal."""
    F, out = K.Infinity(), []
    for f in facts:
        th = closed(f)
        vs, hyps, q = strip(th.concl)
        naturals = [v for v in vs if v.sort == NAT]
        if hyps or not naturals or not isinstance(q, (Eq, Le)):
            continue
        ws = [n if v == naturals[0] else v for v in vs]
        made = inst(th, *ws)
        left, right = made.concl.args
        a, b = (limit_of(x, F, n, facts, known) for x in (left, right))
        values = {"f": left, "g": right, "L": value(a), "M": value(b)}
        law = _law("limit_keeps_order", F, n, a, b, **values)
        pairs = [(law, made)]
        if isinstance(q, Eq):
            swapped = {"f": right, "g": left, "L": value(b), "M": value(a)}
            back = _law("limit_keeps_order", F, n, b, a, **swapped)
            pairs = [
                (law, arith(Le(left, right), (1, made))),
                (back, arith(Le(right, left), (-1, made))),
            ]
        done = [_eventually_given(x, le, n) for x, le in pairs]
        th = step("antisymmetry", *done) if isinstance(q, Eq) else done[0]
        out.append(closed(th))
    if not out:
        raise Unexplained(goal, Integer(0), 0, "no equation or inequality about n was cited")
    rest = [f for f in facts if isinstance(innermost(f.concl), (Eq, Le, Lt))]
    try:
        return explain(goal, out, known)
    except Unexplained:
        return explain(goal, [*out, *rest], known)


def _eventually_given(law: Step, le: Step, n: Var) -> Step:
    return _eventually(law, K.Infinity(), n, (), lambda goal, _: _renamed(le, n, goal))


def _renamed(le: Step, n: Var, goal: Term) -> Step:
    free = [v for v in B.variables(goal) if v.sort == NAT]
    for v in sorted(free, key=str):
        th = inst(gen(le, n), v)
        if th.concl == goal:
            return th
    raise Refused(f"{goal} is not an instance of the inequality")
