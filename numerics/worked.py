"""A theorem with numbers: one small model of its hypotheses, and both sides of every part in it.

    worked(proof) -> Worked, or None where no small model was found

Models are tried in a fixed order, small rationals first; the first one in which no part is vacuous
or a mere 0 = 0 is shown, else the one with the fewest such parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import torch
from sympy import Basic
from torch import Tensor

from derivations.kernel import terms as K
from derivations.tactics.theorem import Proof
from numerics.bridge import Scope
from numerics.instances import Batch, batches, sets_in
from numerics.instances.shapes import clauses, symbols_in
from numerics.judgement import TOLERANCE, VACUOUS, judge
from numerics.refute import both_sides, fixed, letters, numbers_of, shown
from numerics.tables import NotBridged

STYLES = (*["small"] * 6, *["corners"] * 4, "generic", "mild", "generic", "mild")
SIZES = ((2,), (2, 3), (1,))
FAR = 25  # odd, and its half even: a sum that only alternates is not taken for a limit
PLACES = 250  # values of the quantified variables that are looked at
NOISE = 1e-11  # shown as zero
RELATIONS = {K.Eq: "=", K.Le: "≤", K.Lt: "<", K.Lim: "→", K.HasD: "="}


@dataclass(frozen=True)
class Sides:
    """One part of a statement at some index values: left, relation, right, all as text."""

    part: str
    at: str
    left: str
    relation: str
    right: str


@dataclass(frozen=True)
class Worked:
    """Sizes and values of a model, and the parts in it."""

    model: str
    rows: tuple[Sides, ...]


def worked(proof: Proof) -> Worked | None:
    """The theorem in one model of its hypotheses."""
    given = [(h.name, h.formula) for h in proof.theorem.given]
    parts = [*proof.theorem.statement().items()]
    formulas = [p for _, p in (*given, *parts)]
    best: tuple[int, Worked] | None = None
    for row in SIZES if sets_in(formulas) else SIZES[:1]:
        try:
            (b,) = batches(given, formulas, 0, (row,), STYLES, FAR)
            usable = b.good & torch.stack([_is_true(p, b) for _, p in parts]).all(0)
        except NotBridged:
            continue
        for m in usable.nonzero().flatten().tolist():
            found = in_model(parts, given, b, m)
            told = sum(map(_tells, found.rows))
            if best is None or told > best[0]:
                best = told, found
            if len(found.rows) == len(parts) and all(map(_tells, found.rows)):
                return found
    return best[1] if best and best[1].rows else None


def _is_true(p: Basic, b: Batch) -> Tensor:
    """The theorem is proved: where a part seems to fail, the numbers are at fault."""
    violation, unknown = b.judge(p)
    return (violation <= TOLERANCE) & ~unknown


def in_model(
    parts: Sequence[tuple[str, Basic]], given: Sequence[tuple[str, Basic]], b: Batch, m: int
) -> Worked:
    """Every part in model m of a batch."""
    rows = [r for name, p in parts if (r := sides(name, p, b, m)) is not None]
    formulas = [p for _, p in parts]
    free = [f for f in symbols_in([p for _, p in given]) if f not in b.model.plan.rules]
    sizes, values = numbers_of([*formulas, *free], b, m)
    counted = ", ".join(f"|{name}| = {n}" for name, n in sizes)
    listed = ", ".join(f"{name} = {value}" for name, value in values)
    return Worked("; ".join(x for x in (counted, listed) if x), tuple(rows))


def _tells(r: Sides) -> int:
    """How much a row says: nothing when it is 0 = 0, most when two numbers are compared."""
    if r.left == r.right == "0":
        return 0
    return 1 if r.left == r.right or r.relation in "=→" else 2


def sides(name: str, p: Basic, b: Batch, m: int) -> Sides | None:
    """Both sides of a part, at a place where something is said: rather not 0 = 0, rather with
    different values of its variables."""
    c = clauses(p)
    relation = RELATIONS.get(type(c.core))
    if relation is None:
        return None
    names = letters([v.sort for v in c.vars])
    best: tuple[int, Sides] | None = None
    for row, sc in islice(_places(c.vars, b), PLACES):
        try:
            if not all(_holds(q, b, sc, m) for q in c.ifs):
                continue
            left, right = (0.0 if abs(x) < NOISE else x for x in both_sides(c.core, b, sc, m))
        except NotBridged:
            return None
        if left != left or right != right:
            continue
        at = ", ".join(f"{n} = {shown(float(x))}" for n, x in zip(names, row, strict=True))
        found = Sides(name, at, shown(left), relation, shown(right))
        score = 2 * bool(_tells(found)) + (len(set(row)) == len(row))
        if best is None or score > best[0]:
            best = score, found
        if score == 3:
            break
    return best[1] if best else None


def _places(vs: Sequence[Any], b: Batch) -> Iterator[tuple[tuple[Any, ...], Scope]]:
    for row in product(*[b.model.sampled(v.sort).tolist() for v in vs]):
        yield row, Scope(1, (), {v: fixed(x) for v, x in zip(vs, row, strict=True)})


def _holds(q: Basic, b: Batch, sc: Scope, m: int) -> bool:
    found = judge(q, b.first, sc)
    violation = found.violation.detach().expand(b.model.width)[m]
    return bool(found.holds.expand(b.model.width)[m]) and float(violation) > VACUOUS
