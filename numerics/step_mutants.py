"""Re-elaborated mutants of the lines of a proof: does the kernel accept something false?

Each line is mutated in every systematic way, and the tactics try to prove the mutant for the same
reasons.  A mutant that is proved must hold on every model of the hypotheses that its proof used;
one that a model violates is a fault of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Basic

from derivations import prove
from derivations.kernel.terms import Imp
from derivations.language.printing import text
from derivations.language.reasons import closed_formula
from derivations.tactics.context import Line
from derivations.tactics.steps import Step
from derivations.tactics.theorem import Theorem
from numerics.crosscheck import FAIL, PASS, Judged, Laboratory, judged_on, laboratory
from numerics.mutants import Mutant, mutants
from numerics.power import REFUSALS, at_most

PATIENCE = 0.5  # seconds for one mutant: more than the slowest line of the catalogue takes
ENOUGH = 10  # models on which an accepted mutant must hold where others are undecided


@dataclass(frozen=True)
class Accepted:
    """A mutant that the kernel proved, with the verdict of the models on it."""

    line: int
    kind: str
    formula: str
    verdict: str
    models: int

    @property
    def false(self) -> bool:
        """A model violates what was proved: an alarm."""
        return self.verdict == FAIL

    @property
    def shown(self) -> bool:
        """It holds on every model; or on enough of them, others undecided (rounding, say)."""
        return self.verdict == PASS or (not self.false and self.models >= ENOUGH)


@dataclass(frozen=True)
class StepMutants:
    """How many mutants of the lines were tried, and the ones that were proved."""

    tried: int
    accepted: tuple[Accepted, ...]


def step_mutants(
    theorem: Theorem, choose: Callable[[Sequence[Mutant]], Sequence[Mutant]] = lambda ms: ms
) -> StepMutants:
    """Try mutants of every line, all of them unless `choose` takes some."""
    lab = laboratory(prove(theorem))
    tried = 0
    accepted: list[Accepted] = []
    for line, again in _lines(theorem):
        for m in choose(mutants(line.formula)):
            tried += 1
            th = proved(again, m.formula)
            if th is not None:
                found = verdict_on(th, lab)
                said = text(m.formula)
                accepted.append(Accepted(line.line, m.kind, said, found.verdict, found.models))
    return StepMutants(tried, tuple(accepted))


def proved(again: Callable[[Basic], Step], p: Basic) -> Step | None:
    """The proof of a formula, if there is one in time."""
    try:
        with at_most(PATIENCE):
            return again(p)
    except REFUSALS:
        return None


def verdict_on(th: Step, lab: Laboratory) -> Judged:
    """Does what was proved hold on the models, under everything that its proof assumed?"""
    listed = {h for _, h in lab.hypotheses}
    p = th.concl
    for h in sorted(th.hyps - listed, key=repr):
        p = Imp(h, p)
    closed = closed_formula(p)
    return judged_on("", closed, [*lab.batches(), *lab.stress(closed)])


def _lines(theorem: Theorem) -> list[tuple[Line, Callable[[Basic], Step]]]:
    out: list[tuple[Line, Callable[[Basic], Step]]] = []

    def collect(line: Line, again: Any) -> None:
        out.append((line, again))

    prove(theorem, collect)
    return out
