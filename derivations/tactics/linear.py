"""Exact feasibility: sum x_j columns_j = target with some x_j free and the others x_j >= 0."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Vector = Mapping[Any, Fraction]
ZERO = Fraction(0)


class Solution(NamedTuple):
    """The multipliers, and what of the target is left."""

    x: list[Fraction]
    residual: Vector


def solve(columns: Sequence[Vector], free: Sequence[bool], target: Vector) -> Solution:
    """Gauss on the free columns, then phase one of the simplex method with Bland's rule."""
    rows: list[Hashable] = list(dict.fromkeys([*target, *[r for c in columns for r in c]]))
    place = {r: i for i, r in enumerate(rows)}
    n = len(columns)
    M = [[ZERO] * (n + 1) for _ in rows]
    for j, column in enumerate(columns):
        for r, y in column.items():
            M[place[r]][j] = y
    for r, y in target.items():
        M[place[r]][n] = y
    pivots, live = _eliminate(M, [j for j in range(n) if free[j]])
    signed = [j for j in range(n) if not free[j]]
    x = [ZERO] * n
    for j, y in _phase_one(M, live, signed, n):
        x[j] = y
    for j, p in pivots.items():
        x[j] = M[p][n] - sum((M[p][h] * x[h] for h in signed if x[h]), ZERO)
    left = dict(target)
    for j, column in enumerate(columns):
        if x[j]:
            for r, y in column.items():
                left[r] = left.get(r, ZERO) - x[j] * y
    return Solution(x, {r: y for r, y in left.items() if y})


def _eliminate(M: list[list[Fraction]], columns: list[int]) -> tuple[dict[int, int], list[int]]:
    live, pivots = list(range(len(M))), {}
    for j in columns:
        p = next((i for i in live if M[i][j]), None)
        if p is None:
            continue
        live.remove(p)
        pivots[j] = p
        scale = M[p][j]
        M[p] = [y / scale if y else y for y in M[p]]
        for i in range(len(M)):
            f = M[i][j]
            if i != p and f:
                M[i] = [y - f * z if z else y for y, z in zip(M[i], M[p], strict=True)]
    return pivots, live


def _phase_one(
    M: list[list[Fraction]], live: list[int], signed: list[int], n: int
) -> list[tuple[int, Fraction]]:
    rows = [[M[i][j] for j in signed] + [M[i][n]] for i in live]
    rows = [[-y for y in r] if r[-1] < 0 else r for r in rows if any(r)]
    k, m = len(signed), len(rows)
    T = [r[:-1] + [Fraction(int(i == h)) for h in range(m)] + [r[-1]] for i, r in enumerate(rows)]
    base = [k + i for i in range(m)]
    z = [sum((r[j] for r in T), ZERO) for j in range(k)] + [ZERO] * m
    z.append(sum((r[-1] for r in T), ZERO))
    while (e := next((j for j in range(k) if z[j] > 0), None)) is not None:
        ratios = [(T[i][-1] / T[i][e], base[i], i) for i in range(m) if T[i][e] > 0]
        if not ratios:
            break
        i = min(ratios)[2]
        scale = T[i][e]
        T[i] = [y / scale if y else y for y in T[i]]
        base[i] = e
        for row in [h for h in range(m) if h != i and T[h][e]]:
            f = T[row][e]
            T[row] = [y - f * w if w else y for y, w in zip(T[row], T[i], strict=True)]
        f = z[e]
        z = [y - f * w if w else y for y, w in zip(z, T[i], strict=True)]
    return [(signed[j], T[i][-1]) for i, j in enumerate(base) if j < k]
