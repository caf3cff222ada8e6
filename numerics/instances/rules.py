"""Computing what a hypothesis defines: one function a kind of rule, differentiable by autograd.

Each returns the table of a symbol: its index arguments in front, then the axes of its real
arguments (at least the axis of the models).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sympy import Add, Basic
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from numerics.bridge import Evaluator, Scope
from numerics.instances.shapes import (
    Definition,
    FixedPoint,
    LimitOf,
    Projection,
    Recursion,
    Slope,
    Witness,
)
from numerics.judgement import derivative, judge
from numerics.tables import DTYPE, NotBridged, Value, as_real, gather, shorter

# What a geometric sequence leaves at the horizon, where its value is taken for the limit.
RESIDUE = 1e-14

Params = Sequence[K.Variable]


def context(reals: Sequence[Tensor]) -> int:
    """How many axes the real arguments use."""
    return max([1, *[r.ndim for r in reals]])


def spread(
    params: Params, reals: Sequence[Tensor], ev: Evaluator, depth: int
) -> tuple[dict[Any, Value], Scope, list[int]]:
    """Values for the params: the given reals, a new axis for each index, the first outermost."""
    given, env, sizes = iter(reals), {}, []
    for v in params:
        if v.sort == K.REAL:
            env[v] = next(given)
    at = depth
    for v in reversed([v for v in params if v.sort != K.REAL]):
        n = ev.model.extent(v.sort)
        env[v] = ev.axis(0, n, at)
        sizes.insert(0, n)
        at += 1
    return env, Scope(at, (), env), sizes


def filled(x: Tensor, sizes: Sequence[int], reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """The table in full shape."""
    inner = torch.broadcast_shapes((ev.model.width,), *[r.shape for r in reals])
    return x.expand((*sizes, *inner))


def definition(rule: Definition, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """The right-hand side, along every index."""
    _, sc, sizes = spread(rule.params, reals, ev, context(reals))
    value = ev.value(rule.value, sc)
    out = value if isinstance(value, Tensor) else torch.tensor(value)
    return filled(out, sizes, reals, ev)


def slope(rule: Slope, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """Autograd's derivative of the function in the hypothesis."""
    _, sc, sizes = spread(rule.params, reals, ev, context(reals))
    found, _ = derivative(rule.formula, ev, sc)
    return filled(found, sizes, reals, ev)


def limit(rule: LimitOf, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """The function of the hypothesis far out; the check of the hypothesis tells if it converged."""
    _, sc, sizes = spread(rule.params, reals, ev, context(reals))
    F, body, _ = rule.formula.args
    if isinstance(F, K.Infinity):
        n = ev.model.horizon
        last, half = ev.real(body, sc.bind(n)), ev.real(body, sc.bind(n // 2))
        close = 10 * RESIDUE ** ((n // 2) / n)
        settled = (last - half).abs() <= close * (1 + last.abs())
        return filled(torch.where(settled, last, torch.nan), sizes, reals, ev)
    h = torch.tensor([1e-4, 5e-5], dtype=DTYPE)
    at = torch.zeros((), dtype=DTYPE) if isinstance(F, K.Right) else ev.real(F.args[0], sc)
    far, near = [ev.real(body, sc.bind(at + step)) for step in h]
    return filled(2 * near - far, sizes, reals, ev)


def witness(rule: Witness, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """The first index that makes the formula hold, for each value of the params; 0 if none does."""
    _, sc, sizes = spread(rule.params, reals, ev, context(reals))
    candidates = ev.axis(0, ev.model.extent(rule.chosen.sort), sc.depth)
    wide = Scope(sc.depth + 1, (), {**sc.env, rule.chosen: candidates})
    holds = judge(rule.formula, ev, wide).holds
    if holds.ndim <= sc.depth:
        return filled(torch.zeros((), dtype=torch.int64), sizes, reals, ev)
    return filled(holds.to(torch.int8).argmax(0), sizes, reals, ev)


class Frozen:
    """A symbol with a given table, while its own rule is being computed."""

    def __init__(self, table: Tensor, depth: int) -> None:
        self.table, self.depth = table, depth

    def value(self, fn: Any, args: Sequence[Value], ev: Evaluator) -> Value:
        domain = fn.domain if isinstance(fn, K.Fn) else ()
        indices = [a for a, s in zip(args, domain, strict=True) if s != K.REAL]
        return gather(self.table, indices, self.depth)


def fixed_point(rule: FixedPoint, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """Solve x = F(x) for an affine F, read off by its values at zero and at the unit vectors."""
    depth = context(reals)
    sizes = [ev.model.extent(v.sort) for v in rule.params if v.sort != K.REAL]
    n = 1
    for s in sizes:
        n *= s
    if n > 64:
        raise NotBridged(f"a linear system of size {n}")
    units = torch.cat([torch.zeros(1, n, dtype=DTYPE), torch.eye(n, dtype=DTYPE)])
    table = units.T.reshape((*sizes, n + 1, *([1] * depth)))
    _, sc, _ = spread(rule.params, reals, ev, depth + 1)
    trial = Frozen(table, depth + 1)
    found = ev.child({rule.symbol: trial}).real(rule.value, sc)
    inner = torch.broadcast_shapes((ev.model.width,), *[r.shape for r in reals])
    inner = (*([1] * (depth - len(inner))), *inner)
    images = found.expand((*sizes, n + 1, *inner)).reshape((n, n + 1, *inner))
    shift = images[:, 0]
    matrix = images[:, 1:] - shift.unsqueeze(1)
    lead = (*range(2, 2 + len(inner)), 0, 1)
    system = torch.eye(n, dtype=DTYPE) - matrix.permute(lead)
    right = shift.permute((*range(1, 1 + len(inner)), 0))
    singular = torch.linalg.det(system).abs() < 1e-10
    safe = torch.where(singular[..., None, None], torch.eye(n, dtype=DTYPE), system)
    x = torch.linalg.solve(safe, right.unsqueeze(-1)).squeeze(-1)
    x = torch.where(singular.unsqueeze(-1), torch.nan, x)
    return x.permute((len(inner), *range(len(inner)))).reshape((*sizes, *inner))


def projection(rule: Projection, raw: Tensor, ev: Evaluator) -> Tensor:
    """The solution nearest to random values, of equations affine in all values of the symbol."""
    fn = rule.symbol
    assert isinstance(fn, K.Fn)
    sizes = [ev.model.extent(s) for s in fn.domain]
    n, width = raw.numel() // ev.model.width, ev.model.width
    if n > 64:
        raise NotBridged(f"a linear system of size {n}")
    units = torch.cat([torch.zeros(1, n, dtype=DTYPE), torch.eye(n, dtype=DTYPE)])
    inner = ev.child({fn: Frozen(units.T.reshape((*sizes, n + 1, 1)), 2)})
    rows = []
    for c in rule.equations:
        _, sc, over = spread(c.vars, [], ev, 2)
        left, right = (inner.real(x, sc) for x in c.core.args)
        rows.append((left - right).expand((*over, n + 1, width)).reshape((-1, n + 1, width)))
    images = torch.cat(rows).permute(2, 0, 1)
    shift, matrix = images[..., :1], images[..., 1:] - images[..., :1]
    start = raw.reshape((n, width)).T.unsqueeze(-1)
    change = torch.linalg.pinv(matrix) @ (shift + matrix @ start)
    return (start - change).squeeze(-1).T.reshape(raw.shape)


def recursion(rule: Recursion, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
    """Row after row: naturals up to the horizon, words up to the longest."""
    fn, depth = rule.symbol, context(reals)
    assert isinstance(fn, K.Fn)
    place = len([s for s in fn.domain[: rule.place] if s != K.REAL])
    on_words = rule.grow[2] is not None
    first, base = rule.base
    rows = [_row(first, base, {}, reals, ev, depth, place, fn.codomain)]
    length = 0
    total = ev.model.extent(fn.domain[rule.place])
    while sum(r.shape[place] for r in rows) < total:
        table = torch.cat(rows[-1:] if not on_words else rows, dim=place)
        if on_words:
            so_far: Any = Frozen(table, depth)
        else:
            so_far = _Rows(rows, place, depth)
        inner = ev.child({fn: so_far})
        rows.append(_grown(rule, length, reals, inner, depth, place))
        length += 1
    return torch.cat(rows, dim=place)


class _Rows:
    """The rows of a recursion on the naturals that are known so far."""

    def __init__(self, rows: Sequence[Tensor], place: int, depth: int) -> None:
        self.rows, self.place, self.depth = rows, place, depth

    def value(self, fn: Any, args: Sequence[Value], ev: Evaluator) -> Value:
        indices = [a for a, s in zip(args, fn.domain, strict=True) if s != K.REAL]
        n = indices[self.place]
        if isinstance(n, int) and n < len(self.rows):
            indices[self.place] = 0
            return gather(self.rows[n], indices, self.depth)
        return gather(torch.cat(list(self.rows), dim=self.place), indices, self.depth)


def _row(
    params: Sequence[Any],
    value: Any,
    known: dict[Any, Value],
    reals: Sequence[Tensor],
    ev: Evaluator,
    depth: int,
    place: int,
    codomain: Any,
) -> Tensor:
    """One row for the value of the built-up argument that `known` fixes."""
    plain, shifted = _unshifted(params)
    _, sc, sizes = spread(plain, reals, ev, depth)
    sc = sc.assign({v: (sc.env[u] - 1).clamp(min=0) for u, v in shifted.items()})  # type: ignore
    out = _as(codomain, ev.value(value, sc.assign(known)))
    return filled(out, sizes, reals, ev).unsqueeze(place)


def _unshifted(params: Sequence[Any]) -> tuple[list[Any], dict[Any, Any]]:
    """The params but the built-up one; v + 1 becomes a variable u with v = u - 1 (at u = 0, 0)."""
    plain: list[Any] = []
    shifted: dict[Any, Any] = {}
    for x in params:
        if isinstance(x, Add):
            u = B.fresh(K.NAT)
            shifted[u] = x - 1
            plain.append(u)
        elif x is not None:
            plain.append(x)
    return plain, shifted


def _as(codomain: Any, found: Value) -> Tensor:
    if codomain == K.REAL:
        return as_real(found)
    return found if isinstance(found, Tensor) else torch.tensor(found)


def _grown(
    rule: Recursion,
    length: int,
    reals: Sequence[Tensor],
    ev: Evaluator,
    depth: int,
    place: int,
) -> Tensor:
    others, before, letter, value = rule.grow
    assert isinstance(rule.symbol, K.Fn)
    codomain = rule.symbol.codomain
    if letter is None:
        return _row(others, value, {before: length}, reals, ev, depth, place, codomain)
    letters = ev.model.extent(K.sort_of(letter))
    words = ev.axis(shorter(letters, length), shorter(letters, length + 1), depth + 1)
    known = {before: words, **taken_apart(letter, ev.axis(0, letters, depth), ev)}
    _, sc, sizes = spread([v for v in others if v is not None], reals, ev, depth + 2)
    out = _as(codomain, ev.value(value, sc.assign(known)))
    table = filled(out, [*sizes, words.shape[0], letters], reals, ev)
    k = len(sizes)
    table = table.reshape((*sizes, words.shape[0] * letters, *table.shape[k + 2 :]))
    order = [*range(place), k, *range(place, k), *range(k + 1, table.ndim)]
    return table.permute(order)


def taken_apart(pattern: Basic, codes: Tensor, ev: Evaluator) -> dict[Any, Value]:
    """The letters of a pair from the number of the pair."""
    if not isinstance(pattern, K.Pair):
        return {pattern: codes}
    n = ev.model.extent(K.sort_of(pattern.args[1]))
    first = taken_apart(pattern.args[0], codes // n, ev)
    return {**first, **taken_apart(pattern.args[1], codes % n, ev)}


def free_of_reals(fn: K.Fn) -> bool:
    """Does the symbol take indices only?"""
    return all(s != K.REAL for s in fn.domain)


def scope_for(rule: Definition, args: Sequence[Value], ev: Evaluator) -> Scope:
    """The params at these values, with enough axes for them."""
    depth = max([1, *[a.ndim for a in args if isinstance(a, Tensor)]])
    return Scope(depth, (), dict(zip(rule.params, args, strict=True)))


def has_unbounded(fn: K.Fn) -> bool:
    """Does the symbol take naturals or words?"""
    return any(s == K.NAT or isinstance(s, K.WordsOf) for s in fn.domain)
