"""Rewriting a term by cited equations: recursions, definitions, and equals inside functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sympy import Add, Integer, Mul, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Eq, Term, Var
from derivations.tactics.steps import (
    Step,
    arith,
    asking,
    assume,
    closed,
    discharge,
    equal,
    fresh_of,
    gen,
    innermost,
    inst,
    instantiate,
    mp,
    step,
    strip,
)

Steps = Sequence[Step]


def _constructed(t: Term) -> bool:
    grown = isinstance(t, Add) and K.sort_of(t) == K.NAT
    return grown or isinstance(t, (K.Snoc, K.Nil, Integer))


def recursions(facts: Steps) -> list[Step]:
    """Facts like mu(0, s) = ..., mu(n + 1, s) = ..., P(w x) = ...: equations to compute with."""
    out: list[Step] = []
    for f in facts:
        if not isinstance(innermost(f.concl), Eq):
            continue
        th = closed(f)
        vs, hyps, q = strip(th.concl)
        head: Term = q.args[0] if isinstance(q, Eq) else None
        fixed = isinstance(head, K.App) and not hyps and set(vs) <= B.variables(head)
        if fixed and any(map(_constructed, head.args[1:])):
            out.append(th)
    return out


def _is_base(rule: Step) -> bool:
    """f(0, ...) = ... comes after f(n + 1, ...) = ..., which may lead to it."""
    return any(isinstance(x, (Integer, K.Nil)) for x in strip(rule.concl)[2].args[0].args[1:])


def _at_literals(rule: Step, t: Term) -> list[Step]:
    """The rule for f(n + 1) at f(3), f(2), f(1), as far as t mentions such literals."""
    vs, _, q = strip(rule.concl)
    head = q.args[0]
    steps = [i for i, x in enumerate(head.args) if isinstance(x, Add) and x - 1 in vs]
    if len(steps) != 1:
        return []
    there = [e.args[steps[0]] for e in B.subterms(t) if isinstance(e, K.App) and e.fn == head.fn]
    most = max([int(k) for k in there if isinstance(k, Integer)], default=0)
    n = head.args[steps[0]] - 1
    at = [[Integer(k) if v == n else v for v in vs] for k in range(min(most, 3))]
    return [gen(inst(rule, *ts), *[v for v in vs if v != n]) for ts in reversed(at)]


def definitions(facts: Steps) -> list[Step]:
    """Facts like p(a) = ... or x = ..., not about p or x on the right: equals may replace these
    inside log and exp."""
    out: list[Step] = []
    for f in facts:
        th = closed(f)
        vs, hyps, q = strip(th.concl)
        head = q.args[0] if isinstance(q, Eq) and not hyps else None
        symbol = head.fn if isinstance(head, K.App) else head if isinstance(head, Var) else None
        if symbol is None or not set(vs) <= B.variables(q.args[0]):
            continue
        if symbol not in set(B.subterms(q.args[1])):
            out.append(th)
    return out


def unfold(t: Term, rules: Steps, known: Steps) -> Step | None:
    """|- t = t', with every rule applied, inside arguments and binders too."""
    if not rules:
        return None
    norm = asking(known)
    start = norm.term(t)
    rules = [y for x in rules for y in (x, *_at_literals(x, start))]
    rules.sort(key=_is_base)
    th = _replaced(start, rules)
    return th and arith(Eq(t, th.concl.args[1]), (1, th), signs=known)


def equals(facts: Steps) -> Callable[[Term], Step | None]:
    """t -> |- t = t', with the left sides of the cited equations replaced in t as it is written:
    inside a logarithm, say, where a combination of equations does not reach."""
    rules: list[Step] = []
    for f in facts:
        th = closed(f)
        vs, hyps, q = strip(th.concl)
        if isinstance(q, Eq) and not hyps and q.args[0].args and set(vs) <= B.variables(q.args[0]):
            rules.append(th)
    return lambda t: _replaced(t, rules) if rules else None


def equals_inside(t: Term, facts: Steps) -> Step | None:
    """The same when a compound left side stands inside a logarithm or an exponential of t."""
    compound = [f for f in facts if _left_of(f) is not None]
    if not compound:
        return None
    heads = [e for e in B.subterms(t) if isinstance(e, (K.Log, K.Exp))]
    lefts = {_left_of(f) for f in compound}
    if not any(x in lefts for e in heads for x in B.subterms(e.args[0])):
        return None
    return equals(compound)(t)


def _left_of(f: Step) -> Term | None:
    q = f.concl
    return q.args[0] if isinstance(q, Eq) and isinstance(q.args[0], (Add, Mul, Pow)) else None


def _replaced(t: Term, rules: Steps) -> Step | None:
    q = fresh_of(K.REAL, "q")
    th = step("rewrite", assume(Eq(q, t)), *rules)
    if th.concl == Eq(q, t):
        return None
    return mp(instantiate(discharge(th, Eq(q, t)), {q: t}), equal(t, t))
