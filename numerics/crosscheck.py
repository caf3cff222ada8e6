"""Every part of a theorem's statement and every line of its proof, on seeded finite models.

    crosscheck(theorem) -> CrossCheck

The models satisfy the hypotheses (each is judged on each model before the model is used).  Three
verdicts: fail when one model violates a formula; inconclusive when no model could be found, when an
implication was vacuous on all of them, or when a value is not a number somewhere; otherwise pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sympy import Basic

from derivations import prove
from derivations.kernel import binding as B
from derivations.kernel.terms import Imp
from derivations.language.reasons import closed_formula
from derivations.tactics.context import Line
from derivations.tactics.theorem import Proof, Theorem
from numerics.instances import Batch, batches
from numerics.instances.shapes import clauses
from numerics.judgement import TOLERANCE
from numerics.tables import NotBridged

STRESS = ("mixed",) * 30 + ("wide",) * 8 + ("point", "sparse", "edge")
FARTHER = 120
PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"


@dataclass(frozen=True)
class Judged:
    """One formula: on how many models it was judged, and the worst relative residual."""

    name: str
    verdict: str
    models: int
    vacuous: int
    unknown: int
    worst: float
    why: str = ""
    line: int = 0
    conditional: bool = False


@dataclass(frozen=True)
class CrossCheck:
    """The cross-check of one theorem.  `mutants` and `refuted` tell its power when it was asked."""

    theorem: str
    verdict: str
    models: int
    worst_residual: float
    vacuous: int
    parts: tuple[Judged, ...]
    steps: tuple[Judged, ...]
    why: str = ""
    mutants: int = 0
    refuted: int = 0
    survivors: tuple[str, ...] = ()
    true_mutants: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The cross-check as the machine-readable output has it."""
        return {
            "verdict": self.verdict,
            "models": self.models,
            "worst_residual": self.worst_residual,
            "mutants": self.mutants,
            "refuted": self.refuted,
        }


@dataclass(eq=False)
class Laboratory:
    """The models of one theorem, made once; more are made for an implication that is vacuous."""

    hypotheses: Sequence[tuple[str, Basic]]
    others: Sequence[Basic]
    seeds: Sequence[int]
    made: list[Batch] = field(default_factory=list)
    focused: dict[Basic, list[Batch]] = field(default_factory=dict)
    stressed: dict[Basic, list[Batch]] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def batches(self) -> list[Batch]:
        if not self.made:
            for seed in self.seeds:
                self.made += batches(self.hypotheses, self.others, seed)
        return self.made

    def by_promise(self) -> list[Batch]:
        """The batches in the order in which they are likely to refute something false."""
        return sorted(self.batches(), key=lambda b: not 1 < max(b.model.sizes.values()) < 4)

    def stress(self, p: Basic) -> list[Batch]:
        """Models of wide ranges, from other seeds, for what the usual ones did not tell apart."""
        if p not in self.stressed:
            c = clauses(p)
            ifs = [(f"antecedent {i + 1}", _closed_over(q, c.vars)) for i, q in enumerate(c.ifs)]
            wanted = [*self.hypotheses, *ifs]
            sizes = ((2, 2), (2, 3), (4, 2, 3))
            self.stressed[p] = batches(wanted, [p], self.seeds[0] + 1000, sizes, STRESS, FARTHER)
        return self.stressed[p]

    @property
    def models(self) -> int:
        return sum(int(b.good.sum()) for b in self.batches())

    @property
    def blame(self) -> str:
        """The hypothesis that no model satisfies, when no model is left."""
        return next((b.blame for b in self.batches() if b.blame), "") if not self.models else ""

    def focus(self, p: Basic) -> list[Batch]:
        """Models in which the antecedents of p hold: hypotheses now, or met by its conclusion."""
        c = clauses(p)
        if not c.ifs:
            return []
        if p not in self.focused:
            ifs = [(f"antecedent {i + 1}", _closed_over(q, c.vars)) for i, q in enumerate(c.ifs)]
            found: list[Batch] = []
            for more in (ifs, [("conclusion", _closed_over(c.core, c.vars))]):
                wanted = [*self.hypotheses, *more]
                found += [
                    b for s in self.seeds for b in batches(wanted, [p], s + 17) if b.good.any()
                ]
            self.focused[p] = found
        return self.focused[p]

    def judge(self, name: str, p: Basic, line: int = 0) -> Judged:
        """The verdict on one formula; when it was vacuous everywhere, on models made for it."""
        found = judged_on(name, p, self.batches(), line)
        if found.verdict == INCONCLUSIVE and not found.models:
            again = judged_on(name, p, self.focus(p), line)
            return again if again.models else found
        return found


def _closed_over(p: Basic, vs: Sequence[Any]) -> Basic:
    return B.for_all([v for v in vs if v in B.variables(p)], p)


def judged_on(name: str, p: Basic, on: Sequence[Batch], line: int = 0) -> Judged:
    """The verdict on a closed formula over some batches."""
    models = vacuous = unknown = 0
    worst = 0.0
    why = ""
    for b in on:
        if not bool(b.good.any()):
            continue
        try:
            violation, unsure = b.judge(p)
        except NotBridged as e:
            unknown += int(b.good.sum())
            why = str(e)
            continue
        asked = b.good & (violation >= 0)
        models += int(asked.sum())
        unknown += int((b.good & unsure).sum())
        vacuous += int((b.good & ~asked & ~unsure).sum())
        if bool(asked.any()):
            worst = max(worst, float(violation[asked].max()))
    verdict = PASS
    if worst > TOLERANCE:
        verdict, why = FAIL, f"a model violates it by {worst:.2g}"
    elif unknown:
        verdict, why = INCONCLUSIVE, why or f"not decided on {unknown} models"
    elif not models:
        why = "vacuous on every model" if vacuous else "no model satisfies the hypotheses"
        verdict = INCONCLUSIVE
    return Judged(name, verdict, models, vacuous, unknown, worst, why, line)


# ------------------------------------------------------------------ a theorem


def crosscheck(
    what: Theorem | Proof, seeds: Sequence[int] = (0,), lab: Laboratory | None = None
) -> CrossCheck:
    """Judge every part of the statement and, of a proof, every line."""
    proof = what if isinstance(what, Proof) else prove(what)
    lab = lab or laboratory(proof, seeds)
    parts = [lab.judge(name, p) for name, p in proof.theorem.statement().items()]
    steps = judged_lines(proof, lab)
    worst = max([j.worst for j in (*parts, *steps)], default=0.0)
    vacuous = sum(j.vacuous for j in parts)
    verdict, why = _overall([*parts, *steps], lab)
    name = proof.theorem.name
    return CrossCheck(name, verdict, lab.models, worst, vacuous, tuple(parts), tuple(steps), why)


def laboratory(proof: Proof, seeds: Sequence[int] = (0,)) -> Laboratory:
    """The models for a theorem and the lines of its proof."""
    theorem = proof.theorem
    hypotheses = [(h.name, h.formula) for h in theorem.given]
    lines = [closed_formula(x.formula) for x in proof.lines]
    return Laboratory(hypotheses, [*theorem.statement().values(), *lines], tuple(seeds))


def _overall(judged: Sequence[Judged], lab: Laboratory) -> tuple[str, str]:
    if lab.blame:
        return INCONCLUSIVE, f"no model found that satisfies the hypothesis {lab.blame}"
    for verdict in (FAIL, INCONCLUSIVE):
        for j in judged:
            if j.verdict == verdict:
                where = f"line {j.line}" if j.line else f"part {j.name}"
                return verdict, f"{where}: {j.why}"
    return PASS, ""


# ------------------------------------------------------------------ lines


def judged_lines(proof: Proof, lab: Laboratory) -> list[Judged]:
    """Each line as it stands; where it does not hold by itself, under the assumptions around it."""
    out = []
    for i, line in enumerate(proof.lines):
        p = closed_formula(line.formula)
        name = line.name or f"step {i + 1}"
        out.append(lab.judge(name, p, line.line))
    return [
        _under(lab, j, line) if j.verdict != PASS and line.assumed else j
        for j, line in zip(out, proof.lines, strict=True)
    ]


def _under(lab: Laboratory, j: Judged, line: Line) -> Judged:
    p = line.formula
    for q in reversed(line.assumed):
        p = Imp(q, p)
    found = lab.judge(j.name, closed_formula(p), line.line)
    return replace(found, conditional=True)
