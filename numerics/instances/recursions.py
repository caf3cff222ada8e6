"""Recursions among hypotheses: f(0) and f(n + 1), or f of the empty word and of w v."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Add, Basic, Integer

from derivations.kernel import terms as K
from derivations.kernel.terms import Var
from numerics.instances.shapes import Clause, Plan, Recursion, Symbol


def _constructed(t: Basic) -> bool:
    grown = isinstance(t, Add) and K.sort_of(t) == K.NAT
    return grown or isinstance(t, (K.Snoc, K.Nil, Integer))


def _recursive_place(c: Clause) -> tuple[K.App, int] | None:
    """The application and the argument that is built up, in an equation that computes it."""
    left = c.core.args[0] if isinstance(c.core, K.Eq) else None
    if not isinstance(left, K.App):
        return None
    built = [i for i, x in enumerate(left.args[1:]) if _constructed(x)]
    if not built:
        return None
    at = built[-1]  # of several, the last is counted up; the others may be v + 1
    others = [_unshift(x) for i, x in enumerate(left.args[1:]) if i != at]
    plain = len(set(others)) == len(others) and all(x in c.vars for x in others)
    return (left, at) if plain else None


def _unshift(x: Any) -> Any:
    return x - 1 if isinstance(x, Add) and K.sort_of(x) == K.NAT and x - 1 in x.args else x


def without_recursions(rest: list[Clause], out: Plan) -> list[Clause]:
    """Take the recursions into the plan; return the other clauses."""
    bases: dict[Symbol, tuple[Clause, K.App, int]] = {}
    steps: dict[Symbol, tuple[Clause, K.App, int]] = {}
    for c in rest:
        found = _recursive_place(c)
        if found:
            app, i = found
            empty = isinstance(app.args[1 + i], (Integer, K.Nil))
            (bases if empty else steps).setdefault(app.fn, (c, *found))
    used: list[Clause] = []
    for f, step in steps.items():
        base = bases.get(f) or _open_base(step)
        if base is None:
            continue
        rule = _recursion(f, base, step)
        if rule and out.define(rule, [base[0].core.args[1], step[0].core.args[1]]):
            used += [base[0], step[0]]
    return [c for c in rest if c not in used]


def _open_base(step: tuple[Clause, K.App, int]) -> tuple[Clause, K.App, int] | None:
    """A recursion whose first values are free: they are a symbol of their own.  None when an
    argument beside the one counted is counted too."""
    c, app, i = step
    top: Any = app.args[1 + i]
    empty = K.Nil(K.sort_of(top.args[1])) if isinstance(top, K.Snoc) else Integer(0)
    others: list[Any] = [x for k, x in enumerate(app.args[1:]) if k != i]
    if not all(x in c.vars for x in others):
        return None
    first = K.Fn(f"{app.fn.name}~0", app.fn.codomain, *[x.sort for x in others])
    start = K.App(app.fn, *[empty if k == i else x for k, x in enumerate(app.args[1:])])
    return Clause(c.vars, (), K.Eq(start, first(*others))), start, i


def _recursion(
    f: Symbol, base: tuple[Clause, K.App, int], step: tuple[Clause, K.App, int]
) -> Recursion | None:
    (b, start, i), (s, grown, j) = base, step
    top: Any = grown.args[1 + j]
    if i != j or start.args[1 + i] == Integer(1):
        return None
    letter: Any = None
    if isinstance(top, K.Snoc):
        before: Any = top.args[0]
        letter = top.args[1]
    else:
        before = top - 1
    if before not in s.vars or not (letter is None or _is_pattern(letter, s.vars)):
        return None
    others: list[Any] = [
        tuple(x if k != i else None for k, x in enumerate(t.args[1:])) for t in (start, grown)
    ]
    return Recursion(f, i, (others[0], b.core.args[1]), (others[1], before, letter, s.core.args[1]))


def _is_pattern(t: Basic, vs: Sequence[Var]) -> bool:
    """A letter, or a pair of letters, for all of whose values the equation holds."""
    if isinstance(t, K.Pair):
        return t.args[0] != t.args[1] and all(_is_pattern(x, vs) for x in t.args)
    return t in vs
