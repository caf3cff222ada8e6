"""Reading hypotheses: what each does for the symbols in it, told by its shape alone.

A hypothesis defines a symbol, bounds one, fixes the total of one, or can only be checked.  Nothing
here knows a theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sympy import Add, Basic, Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Var
from numerics.instances.recursions import without_recursions
from numerics.instances.sampling import read_samples
from numerics.instances.shapes import (
    Bound,
    Clause,
    Definition,
    FixedPoint,
    LimitOf,
    Plan,
    Projection,
    Slope,
    Symbol,
    Total,
    Witness,
    clauses,
    symbols_in,
)


def plan(hypotheses: Sequence[Basic]) -> Plan:
    """Read every hypothesis; recursions come first, then definitions, then what is left."""
    out = Plan()
    rest = [clauses(h) for h in hypotheses]
    rest = without_recursions(rest, out)
    for read in _READERS:
        rest = [c for c in rest if not read(c, out)]
    return out


def applied(t: Any, vs: Sequence[Var]) -> tuple[Symbol, tuple[Var, ...]] | None:
    """t as a symbol at distinct quantified variables, or as a free real variable."""
    if isinstance(t, Var) and t.sort == K.REAL and t not in vs:
        return t, ()
    if isinstance(t, K.App) and t.fn.codomain != K.REAL:
        return None
    return _applied_index(t, vs)


def _applied_index(t: Any, vs: Sequence[Var]) -> tuple[Symbol, tuple[Var, ...]] | None:
    """The same for a function into indices."""
    params: Any = t.args[1:]
    distinct = isinstance(t, K.App) and len(set(params)) == len(params)
    return (t.fn, params) if distinct and all(x in vs for x in params) else None


def _oriented(c: Clause) -> Iterator[tuple[Symbol, tuple[Var, ...], Basic]]:
    """An equation read as symbol(params) = value, both ways round."""
    if isinstance(c.core, K.Eq):
        for left, right in (c.core.args, c.core.args[::-1]):
            found = applied(left, c.vars) or _applied_index(left, c.vars)
            if found and not (B.variables(right) & set(c.vars)) - set(found[1]):
                yield *found, right


# ------------------------------------------------------------------ definitions


def _definition(c: Clause, out: Plan) -> bool:
    if c.ifs:
        return False
    return any(out.define(Definition(f, vs, t), [t]) for f, vs, t in _oriented(c))


def _case(c: Clause, out: Plan) -> bool:
    """if ... then symbol(params) = value."""
    if not c.ifs:
        return False
    for f, vs, t in _oriented(c):
        inside = all(not (B.variables(p) & set(c.vars)) - set(vs) for p in c.ifs)
        if inside and out.may_define(f, [t, *c.ifs]):
            out.cases.setdefault(f, []).append(Definition(f, vs, t, c.ifs))
            out.note(f, [t, *c.ifs])
            return True
    return False


def _place(c: Clause, out: Plan) -> bool:
    """symbol = value at a place that is named: p(c) = 0 for one member c."""
    if c.ifs or not isinstance(c.core, K.Eq):
        return False
    for left, value in (c.core.args, c.core.args[::-1]):
        t: Any = left
        given: list[Any] = list(t.args[1:]) if isinstance(t, K.App) and t.fn.domain else []
        params = [x if x in c.vars else B.fresh(K.sort_of(x)) for x in given]
        named = [(v, x) for v, x in zip(params, given, strict=True) if v != x]
        free = len(set(params)) == len(params) and not any(
            v.sort == K.REAL or B.variables(x) & set(c.vars) for v, x in named
        )
        if not named or not free or (B.variables(value) & set(c.vars)) - set(params):
            continue
        there = tuple(K.Eq(K.Delta(v, x), Integer(1)) for v, x in named)
        parts = [value, *[x for _, x in named]]
        if out.may_define(t.fn, parts):
            out.cases.setdefault(t.fn, []).append(Definition(t.fn, tuple(params), value, there))
            out.note(t.fn, parts)
            return True
    return False


def _support(c: Clause, out: Plan) -> bool:
    """0 < f(x) only where 0 < g(x): f is 0 where g is not positive."""
    if len(c.ifs) != 1 or not all(isinstance(p, K.Lt) and p.args[0] == 0 for p in (*c.ifs, c.core)):
        return False
    f, g = applied(c.ifs[0].args[1], c.vars), c.core.args[1]
    if not f or (B.variables(g) & set(c.vars)) - set(f[1]) or not out.may_define(f[0], [g]):
        return False
    zero = Definition(*f, Integer(0), (K.Le(g, Integer(0)),))
    out.cases.setdefault(f[0], []).append(zero)
    out.note(f[0], [g])
    return True


def _slope(c: Clause, out: Plan) -> bool:
    return _last_argument(c, out, K.HasD, Slope)


def _limit(c: Clause, out: Plan) -> bool:
    return _last_argument(c, out, K.Lim, LimitOf)


def _last_argument(c: Clause, out: Plan, head: type[Basic], make: type[Slope | LimitOf]) -> bool:
    if not isinstance(c.core, head):
        return False
    found = applied(c.core.args[2], c.vars)
    if not found or (B.variables(c.core) & set(c.vars)) - set(found[1]):
        return False
    return out.define(make(*found, c.core), c.core.args[:2])


def _fixed_point(c: Clause, out: Plan) -> bool:
    if c.ifs:
        return False
    return any(out.define(FixedPoint(f, vs, t), [t]) for f, vs, t in _oriented(c))


def _solved(c: Clause, out: Plan) -> bool:
    """An equation that is solved for a symbol standing somewhere inside it (checked afterwards);
    rather for one without bounds."""
    if c.ifs or not isinstance(c.core, K.Eq):
        return False
    left, right = _sides(c)
    closed = [t for t in dict.fromkeys(B.subterms(c.core)) if B.loose(t) == 0]
    found = [(t, f) for t in closed if (f := applied(t, c.vars)) and set(f[1]) == set(c.vars)]
    for t, f in sorted(found, key=lambda x: x[1][0] in out.bounds or x[1][0] in out.totals):
        if out.define(FixedPoint(*f, t + left - right), [left, right]):
            return True
    return False


def _projection(c: Clause, out: Plan) -> bool:
    """An equation that is affine in all the values of an otherwise free symbol (checked later)."""
    if c.ifs or not isinstance(c.core, K.Eq) or any(v.sort == K.REAL for v in c.vars):
        return False
    parts = list(c.core.args)
    for f in sorted(symbols_in(parts), key=repr):
        taken = f in out.bounds or f in out.totals or f in out.cases
        if not isinstance(f, K.Fn) or taken or not _finite(f):
            continue
        rule = out.rules.get(f)
        if isinstance(rule, Projection) and all(
            n == f or not out.reaches(n, f) for n in symbols_in(parts)
        ):
            out.rules[f] = Projection(f, (*rule.equations, c))
            out.note(f, parts)
            return True
        if out.define(Projection(f, (c,)), parts):
            return True
    return False


def _witness(c: Clause, out: Plan) -> bool:
    """A function into indices, in a formula that it can be chosen to satisfy."""
    if c.ifs or any(v.sort == K.REAL for v in c.vars):
        return False
    candidates: list[Any] = list(dict.fromkeys(B.subterms(c.core)))
    for t in candidates:
        found = _applied_index(t, c.vars) if B.loose(t) == 0 else None
        if not found or t.fn.codomain in (K.REAL, K.NAT) or set(found[1]) != set(c.vars):
            continue
        z = B.fresh(t.fn.codomain)
        formula = replaced(c.core, t, z)
        if out.define(Witness(*found, z, formula), [formula]):
            return True
    return False


def replaced(e: Basic, t: Basic, by: Basic) -> Basic:
    """e with a closed term replaced everywhere."""
    if e == t:
        return by
    if not e.args or isinstance(e, K.Sort):
        return e
    return e.func(*[replaced(x, t, by) for x in e.args])


def _finite(f: K.Fn) -> bool:
    unbounded = any(s in (K.REAL, K.NAT) or isinstance(s, K.WordsOf) for s in f.domain)
    return f.codomain == K.REAL and not unbounded and bool(f.domain)


def _sides(c: Clause) -> tuple[Any, Any]:
    left, right = c.core.args
    return left, right


# ------------------------------------------------------------------ constraints


def _total(c: Clause, out: Plan) -> bool:
    if not isinstance(c.core, K.Eq):
        return False
    for left, right in (c.core.args, c.core.args[::-1]):
        over: list[Var] = []
        while isinstance(left, K.Sum) and not isinstance(left.args[0], (K.Range, K.Words)):
            over.append(B.fresh(K.member_sort(left.args[0])))
            left = B.open_body(left.args[1], over[-1])
        found = applied(left, [*c.vars, *over])
        if over and found and found[0] not in out.totals and out.may_define(found[0], [right]):
            out.totals[found[0]] = Total(*found, tuple(over), right)
            out.note(found[0], [right])
            return True
    return False


def _bound(c: Clause, out: Plan) -> bool:
    """An inequality with a symbol alone on one side.  Antecedents are dropped: the bound then holds
    more often than asked."""
    if not isinstance(c.core, (K.Le, K.Lt)):
        return False
    strict = isinstance(c.core, K.Lt)
    left, right = _sides(c)
    both: Any = left.args
    if isinstance(left, K.Max2) and both[0] + both[1] == 0:
        if isinstance(right, Var) and _take_bound(c, right, left, strict, False, out):
            return True
        for x in left.args:  # |x| <= t is x <= t and -t <= x
            if _take_bound(c, x, right, strict, True, out):
                return _take_bound(c, x, -right, strict, False, out)
    pairs = [(right, left, False), (left, right, True)]
    gap = right - left
    for t in gap.args if isinstance(gap, Add) else ():  # ... + t >= 0 or ... - t >= 0
        pairs += [(t, t - gap, False), (-t, gap - t, True)]
    return any(_take_bound(c, t, value, strict, upper, out) for t, value, upper in pairs)


def _kept(c: Clause, out: Plan) -> bool:
    """F(f) <= f(x), F affine in f: f = F(f) keeps it."""
    if c.ifs or not isinstance(c.core, K.Le):
        return False
    for t, value in (c.core.args[::-1], c.core.args):
        found = applied(t, c.vars)
        if found and found[1] and found[0] in symbols_in([value]):
            return out.define(FixedPoint(*found, value), [value])
    return False


def _take_bound(c: Clause, t: Basic, value: Basic, strict: bool, upper: bool, out: Plan) -> bool:
    found = applied(t, c.vars)
    if not found or not out.may_define(found[0], [value]):
        return False
    out.bounds.setdefault(found[0], []).append(Bound(*found, value, strict, upper, c.vars))
    out.note(found[0], [value])
    return True


_READERS = (
    *(read_samples, _definition, _slope, _limit, _case, _place, _support),
    *(_total, _kept, _bound, _fixed_point, _solved, _witness, _projection),
)
