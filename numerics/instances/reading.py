"""Reading hypotheses: what each does for the symbols in it, told by its shape alone.

A hypothesis defines a symbol, bounds one, fixes the total of one, or can only be checked.  Nothing
here knows a theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sympy import Add, Basic, Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Var
from numerics.instances.shapes import (
    Bound,
    Clause,
    Definition,
    FixedPoint,
    LimitOf,
    Plan,
    Recursion,
    Slope,
    Symbol,
    Total,
)


def clauses(p: Basic) -> Clause:
    """Open quantifiers and antecedents, in whatever order they come."""
    vs: list[Var] = []
    ifs: list[Basic] = []
    while isinstance(p, (K.All, K.Imp)):
        if isinstance(p, K.All):
            vs.append(B.fresh(p.args[0]))
            p = B.open_body(p.args[1], vs[-1])
        else:
            ifs.append(p.args[0])
            p = p.args[1]
    return Clause(tuple(vs), tuple(ifs), p)


def plan(hypotheses: Sequence[Basic]) -> Plan:
    """Read every hypothesis; recursions come first, then definitions, then what is left."""
    out = Plan()
    rest = [clauses(h) for h in hypotheses]
    rest = _without_recursions(rest, out)
    for read in (_definition, _slope, _limit, _case, _total, _bound, _fixed_point, _solved):
        rest = [c for c in rest if not read(c, out)]
    return out


def applied(t: Basic, vs: Sequence[Var]) -> tuple[Symbol, tuple[Var, ...]] | None:
    """t as a symbol at distinct quantified variables, or as a free real variable."""
    if isinstance(t, Var) and t.sort == K.REAL and t not in vs:
        return t, ()
    distinct = isinstance(t, K.App) and len(set(t.args[1:])) == len(t.args) - 1
    return (t.fn, t.args[1:]) if distinct and all(x in vs for x in t.args[1:]) else None


def _oriented(c: Clause) -> Iterator[tuple[Symbol, tuple[Var, ...], Basic]]:
    """An equation read as symbol(params) = value, both ways round."""
    if isinstance(c.core, K.Eq):
        for left, right in (c.core.args, c.core.args[::-1]):
            found = applied(left, c.vars)
            if found and not (B.variables(right) & set(c.vars)) - set(found[1]):
                yield *found, right


# ------------------------------------------------------------------ recursions


def _constructed(t: Basic) -> bool:
    grown = isinstance(t, Add) and K.sort_of(t) == K.NAT
    return grown or isinstance(t, (K.Snoc, K.Nil, Integer))


def _recursive_place(c: Clause) -> tuple[K.App, int] | None:
    """The application and the argument that is built up, in an equation that computes it."""
    left = c.core.args[0] if isinstance(c.core, K.Eq) and not c.ifs else None
    if not isinstance(left, K.App):
        return None
    built = [i for i, x in enumerate(left.args[1:]) if _constructed(x)]
    others = [x for i, x in enumerate(left.args[1:]) if i not in built]
    plain = len(set(others)) == len(others) and all(x in c.vars for x in others)
    return (left, built[0]) if len(built) == 1 and plain else None


def _without_recursions(rest: list[Clause], out: Plan) -> list[Clause]:
    bases: dict[Symbol, tuple[Clause, K.App, int]] = {}
    steps: dict[Symbol, tuple[Clause, K.App, int]] = {}
    for c in rest:
        found = _recursive_place(c)
        if found:
            app, i = found
            empty = isinstance(app.args[1 + i], (Integer, K.Nil))
            (bases if empty else steps).setdefault(app.fn, (c, *found))
    used: list[Clause] = []
    for f in [f for f in bases if f in steps]:
        rule = _recursion(f, bases[f], steps[f])
        parts = [bases[f][0].core.args[1], steps[f][0].core.args[1]]
        if rule and out.define(rule, parts):
            used += [bases[f][0], steps[f][0]]
    return [c for c in rest if c not in used]


def _recursion(
    f: Symbol, base: tuple[Clause, K.App, int], step: tuple[Clause, K.App, int]
) -> Recursion | None:
    (b, start, i), (s, grown, j) = base, step
    top = grown.args[1 + j]
    if i != j or start.args[1 + i] == Integer(1):
        return None
    letter = None
    if isinstance(top, K.Snoc):
        before, letter = top.args
    else:
        before = top - 1
    if before not in s.vars or not (letter is None or _is_pattern(letter, s.vars)):
        return None
    others = [
        tuple(x if k != i else None for k, x in enumerate(t.args[1:])) for t in (start, grown)
    ]
    return Recursion(f, i, (others[0], b.core.args[1]), (others[1], before, letter, s.core.args[1]))


def _is_pattern(t: Basic, vs: Sequence[Var]) -> bool:
    """A letter, or a pair of letters, for all of whose values the equation holds."""
    if isinstance(t, K.Pair):
        return t.args[0] != t.args[1] and all(_is_pattern(x, vs) for x in t.args)
    return t in vs


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
    """An equation that is solved for a symbol standing somewhere inside it (checked afterwards)."""
    if c.ifs or not isinstance(c.core, K.Eq):
        return False
    left, right = c.core.args
    for t in dict.fromkeys(B.subterms(c.core)):
        found = applied(t, c.vars) if B.loose(t) == 0 else None
        if found and set(found[1]) == set(c.vars) and found[0] not in out.bounds:
            value = t + left - right if isinstance(t, K.App) else None
            if value is not None and out.define(FixedPoint(*found, value), [left, right]):
                return True
    return False


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
    left, right = c.core.args
    if isinstance(left, K.Max2) and left.args[0] + left.args[1] == 0:
        for x in left.args:  # |x| <= t is x <= t and -t <= x
            if _take_bound(c, x, right, strict, True, out):
                return _take_bound(c, x, -right, strict, False, out)
    pairs = [(right, left, False), (left, right, True)]
    return any(_take_bound(c, t, value, strict, upper, out) for t, value, upper in pairs)


def _take_bound(c: Clause, t: Basic, value: Basic, strict: bool, upper: bool, out: Plan) -> bool:
    found = applied(t, c.vars)
    if not found or not out.may_define(found[0], [value]):
        return False
    out.bounds.setdefault(found[0], []).append(Bound(*found, value, strict, upper, c.vars))
    out.note(found[0], [value])
    return True
