"""Seeded finite models that satisfy given hypotheses.

    for batch in batches(hypotheses, seed=0):
        judged_twice(formula, batch.first, batch.second)   # at batch.good

A model is computed from the hypotheses' shapes (see `shapes`), and then every hypothesis is judged
by the bridge: a model that violates one is not used, and when no model is left the hypothesis to
blame is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from sympy import Basic
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from numerics.bridge import Evaluator
from numerics.instances.draws import STYLES, Dice
from numerics.instances.model import Model
from numerics.instances.reading import plan
from numerics.instances.rules import RESIDUE
from numerics.instances.sampling import with_outcomes
from numerics.instances.shapes import Plan
from numerics.judgement import judged_twice
from numerics.tables import NotBridged

OFF = (0.73, -1.9)  # two readings of the logarithm off the positive reals
# Sizes for the sets of a theorem in the order of their names; the last ones repeat.
SIZES = ((1,), (2, 3), (3, 2), (4, 2, 3))
FAR, CLOSE = 50, 8
MANY_WORDS = 1300


@dataclass(frozen=True, eq=False)
class Batch:
    """Models of one size; `good` marks those that satisfy every hypothesis."""

    model: Model
    first: Evaluator
    second: Evaluator
    good: Tensor
    blame: str

    def judge(self, p: Basic) -> tuple[Tensor, Tensor]:
        """Violation and unknown, one number a model."""
        found = judged_twice(p, self.first, self.second)
        width = (self.model.width,)
        return found.violation.expand(width).detach(), found.unknown.expand(width)


def sets_in(formulas: Sequence[Basic]) -> list[str]:
    """The names of the finite sets that occur, sorted."""
    return sorted({name for p in formulas for name in _sets_of(p)})


@lru_cache(4096)
def _sets_of(p: Basic) -> frozenset[str]:
    found: set[str] = set()
    for e in B.subterms(p):
        sorts = (e.sort,) if isinstance(e, K.Variable) else (e,)
        found |= {s.name for x in sorts for s in B.subterms(x) if isinstance(s, K.Fin)}
    return frozenset(found)


def reach_of(
    formulas: Sequence[Basic], sizes: Mapping[str, int], far: int
) -> tuple[int, int, float]:
    """The largest natural, the longest word, and how large a discount may be so that its powers die
    out by then.

    A formula that follows a sequence to infinity wants a far horizon; when sums over words grow on
    the way, the horizon is as far as they can be enumerated and the discount is small.
    """
    longest = 5 if max(sizes.values(), default=1) <= 2 else 4
    parts = [e for p in formulas for e in B.subterms(p)]
    if not any(isinstance(e, (K.Infinity, K.Series)) for e in parts):
        return CLOSE, longest, 0.7
    ways = [e for e in parts if isinstance(e, (K.Series, K.Lim))]
    growing = {e.args[0] for w in ways for e in B.subterms(w) if isinstance(e, K.Words)}
    if not growing:
        return far, longest, RESIDUE ** (1 / far)
    letters = max(_letters(X, sizes) for X in growing)
    n = next(n for n in range(far, 0, -1) if letters**n <= MANY_WORDS)
    return n, max(n + 1, longest), min(0.7, RESIDUE ** (1 / n))


def _letters(X: Basic, sizes: Mapping[str, int]) -> int:
    if isinstance(X, K.Prod):
        return _letters(X.args[0], sizes) * _letters(X.args[1], sizes)
    return sizes[X.args[0].name]  # type: ignore[attr-defined]


def batches(
    hypotheses: Sequence[tuple[str, Basic]],
    others: Sequence[Basic],
    seed: int = 0,
    sizes: Sequence[Sequence[int]] = SIZES,
    styles: Sequence[str] = STYLES,
    far: int = FAR,
) -> list[Batch]:
    """One batch a size; `others` are the formulas that will be judged (for sets and limits)."""
    everything = [*[p for _, p in hypotheses], *others]
    names = sets_in(everything)
    reading = plan([p for _, p in hypotheses])
    out = []
    for k, row in enumerate(sizes):
        if k and not names:
            continue
        chosen = {name: row[min(i, len(row) - 1)] for i, name in enumerate(names)}
        chosen = with_outcomes(reading, chosen)
        out.append(
            _batch(reading, hypotheses, chosen, seed + k, styles, reach_of(everything, chosen, far))
        )
    return out


def _batch(
    reading: Plan,
    hypotheses: Sequence[tuple[str, Basic]],
    sizes: dict[str, int],
    seed: int,
    styles: Sequence[str],
    reach: tuple[int, int, float],
) -> Batch:
    horizon, longest, part = reach
    dice = Dice(seed, tuple(styles), part)
    model = Model(reading, dice, {**sizes, "*": 2}, horizon, longest)
    first, second = (Evaluator(model, off) for off in OFF)
    good = torch.ones(model.width, dtype=torch.bool)
    blame = ""
    for name, p in hypotheses:
        try:
            found = judged_twice(p, first, second)
            kept = good & found.holds
        except NotBridged as e:
            kept, name = torch.zeros_like(good), f"{name} ({e})"
        if bool(good.any()) and not bool(kept.any()):
            blame = name
        good = kept
    return Batch(model, first, second, good, blame)
