"""Theorems as data, and `prove`: run the proof, write the certificate, let the kernel replay it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from derivations.kernel import certificate
from derivations.kernel import terms as K
from derivations.kernel.certificate import FORMAT, Body, Replayed, content_hash
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import Refused, Term, need
from derivations.language.lint import undefined
from derivations.language.reasons import Hypothesis, Reason, closed_formula, flatten
from derivations.language.syntax import formula
from derivations.tactics import cases
from derivations.tactics.book import LineRefused
from derivations.tactics.context import Cited, Context, Line, current, discharged, working_in
from derivations.tactics.sides import side_condition
from derivations.tactics.steps import Step, naming, restate, strip
from derivations.tactics.writing import Table, encode

Parts = dict[str, Term]


@dataclass(frozen=True, eq=False)
class Theorem(Cited):
    """What a theorem says, under which hypotheses, and the function that proves it."""

    name: str
    file: str
    line: int
    doc: str
    says: Callable[[], Mapping[str, Any]]
    given: tuple[Hypothesis, ...]
    proof: Callable[[], Any] = field(repr=False)
    instances: Mapping[str, Any] = field(default_factory=dict)

    def statement(self) -> Parts:
        """The named parts as closed kernel formulas, read without running the proof."""
        return {part: closed_formula(formula(p)) for part, p in self.says().items()}

    def __iter__(self) -> Iterator[Reason]:
        for part in self.says():
            yield Part(self, part)

    def __getitem__(self, part: str) -> Part:
        need(part in self.says(), "{} has no part {}; it has {}", self.name, part, [*self.says()])
        return Part(self, part)

    def step(self) -> Step:
        parts = [*self.says()]
        need(len(parts) == 1, "{} has the parts {}: cite one", self.name, parts)
        return Part(self, parts[0]).step()

    def bare(self) -> Step:
        return Part(self, next(iter(self.says()))).bare()


class Part(Cited):
    """One part of a theorem, cited as a lemma."""

    def __init__(self, theorem: Theorem, part: str) -> None:
        self.theorem, self.part = theorem, part
        alone = len(theorem.says()) == 1
        self.name = theorem.name.split(".")[-1] + ("" if alone else f" ({part})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and (self.theorem, self.part) == (other.theorem, other.part)

    def __hash__(self) -> int:
        return hash((id(self.theorem), self.part))

    def bare(self) -> Step:
        """The lemma under its own hypotheses."""
        return current().lemma(self.theorem, self.part)

    def step(self) -> Step:
        return discharged(self.bare())


def theorem(
    says: Callable[[], Mapping[str, Any]], given: Sequence[Any] = (), **instances: Any
) -> Callable[[Callable[[], Any]], Theorem]:
    """Declare a theorem; the decorated function proves it when asked, never at import.
    Raises: Refused for a reason in `given` that is none."""

    def declare(proof: Callable[[], Any]) -> Theorem:
        module = sys.modules.get(proof.__module__)
        file = getattr(module, "__file__", None) or proof.__code__.co_filename
        hypotheses = tuple(h for h in flatten(given) if isinstance(h, Hypothesis))
        chapter = Path(file).parent.name if "derivations.theorems." in proof.__module__ else ""
        name = f"{chapter}.{proof.__name__}" if chapter else f"{Path(file).stem}.{proof.__name__}"
        doc = proof.__doc__ or (module.__doc__ if module else "") or ""
        line = proof.__code__.co_firstlineno
        return Theorem(name, file, line, doc.strip(), says, hypotheses, proof, instances)

    return declare


# ------------------------------------------------------------------ proving


@dataclass(frozen=True)
class Refusal:
    """The line at which a proof stops."""

    step: int
    line: int
    message: str
    goal: Term | None = None
    residual: Term | None = None
    reasons: tuple[str, ...] = ()
    assumed: tuple[Term, ...] = ()


@dataclass(frozen=True, eq=False)
class Proof:
    """The outcome of proving one theorem.  `replayed` is the kernel's; nothing else counts."""

    theorem: Theorem
    status: str
    main: str = ""
    bodies: Mapping[str, Body] = field(default_factory=dict, repr=False)
    replayed: Replayed | None = None
    lines: tuple[Line, ...] = ()
    refusal: Refusal | None = None
    seconds: float = 0.0

    def certificate(self) -> dict[str, Any]:
        """The closed certificate as a JSON object."""
        return {"format": FORMAT, "main": self.main, "bodies": dict(self.bodies)}


_above: ContextVar[tuple[Theorem, ...]] = ContextVar("above", default=())
_replayed: dict[str, Replayed] = {}
Probe = Callable[[Line, Callable[[Term], Step]], None]


@cache
def prove(theorem: Theorem, probe: Probe | None = None) -> Proof:
    """Prove a theorem and everything that it cites; a refusal is a result, not an exception.
    Raises: Refused for a circular citation."""
    with naming():
        return _prove(theorem, probe)


def _prove(theorem: Theorem, probe: Probe | None) -> Proof:
    start = time.perf_counter()
    seconds = lambda: time.perf_counter() - start  # noqa: E731
    above = _above.get()
    if theorem in above:
        circle = " -> ".join(t.name for t in (*above[above.index(theorem) :], theorem))
        raise Refused(f"circular citation: {circle}")
    token = _above.set((*above, theorem))
    bodies: dict[str, Body] = {}
    context = Context(theorem.name, theorem.given, lambda t, part: _cite(t, part, bodies))
    context.probe = probe
    try:
        made = _build(theorem, context)
        body = write(theorem, made, _signs(theorem, context))
        main = content_hash(body)
        bodies[main] = body
        replayed = certificate.replay(main, bodies, _replayed)
        _accept(theorem, replayed)
        status = "gap" if replayed.gaps else "proved"
        lines = tuple(context.lines)
        return Proof(theorem, status, main, bodies, replayed, lines, None, seconds())
    except (Refused, certificate.Unusable) as e:
        refusal = _refusal(e, theorem, context)
        lines = tuple(context.lines)
        return Proof(theorem, "refused", lines=lines, refusal=refusal, seconds=seconds())
    finally:
        _above.reset(token)


def _refusal(e: Exception, theorem: Theorem, context: Context) -> Refusal:
    if isinstance(e, LineRefused):
        at, residual = e.refused, getattr(e.cause, "residual", None)
        found = (str(e.cause), at.formula, residual, at.reasons, at.assumed)
        return Refusal(e.number, at.line, *found)
    return Refusal(len(context.lines) + 1, theorem.line, str(e))


def _build(theorem: Theorem, context: Context) -> dict[str, Step]:
    """Run the proof and find, for every part of the statement, the claim that is this part."""
    with working_in(context):
        theorem.proof()
        facts = [c.proved for c in context.claims]
        out: dict[str, Step] = {}
        for part, p in theorem.statement().items():
            found = next((th for th in facts if th.concl == p), None)
            out[part] = found or _restated(part, p, facts, context)
        return out


def _restated(part: str, p: Term, facts: list[Step], context: Context) -> Step:
    def match(goal: Term, _: Sequence[Step], known: Sequence[Step]) -> Step:
        found = side_condition(goal, None, known, facts)  # type: ignore[arg-type]
        if found is not None:
            return found
        for th in facts:
            try:
                return restate(th, goal, context.steps())
            except Refused:
                continue
        raise Refused(f"no claim of the proof is the part '{part}' of the statement: {goal}")

    return cases.introduce(p, facts, context.steps(), match)


def _signs(theorem: Theorem, context: Context) -> list[Step]:
    """Sign claims that the statement lint needs, if the hypotheses alone do not suffice."""
    hyps = [h.formula for h in theorem.given]
    statement = [*hyps, *theorem.statement().values()]
    if not any(undefined(p, hyps) for p in statement):
        return []
    mine = frozenset(hyps)
    usable = [c.proved for c in context.claims if c.proved.hyps <= mine]
    facts = [(th, strip(th.concl)[2]) for th in usable]
    weak = lambda p: isinstance(p, K.Le) and p.args[0] == 0  # noqa: E731
    return [th for th, p in facts if isinstance(p, (K.Lt, K.Imp)) or weak(p)]


def _accept(theorem: Theorem, replayed: Replayed) -> None:
    """The certificate is about this theorem, and its statement is well-defined."""
    says = tuple(theorem.statement().items())
    hyps = tuple(h.formula for h in theorem.given)
    need(replayed.says == says and replayed.hypotheses == hyps, "another statement was proved")
    problems = ill_defined(replayed)
    need(not problems, "not well-defined from the hypotheses: {}", problems[0] if problems else "")


def ill_defined(replayed: Replayed) -> list[Term]:
    """The reciprocals and logarithms of a statement that its hypotheses leave open."""
    facts = [*replayed.hypotheses, *replayed.signs]
    everything = [*replayed.hypotheses, *[p for _, p in replayed.says]]
    return [t for p in everything for t in undefined(p, facts)]


def _cite(theorem: Theorem, part: str, bodies: dict[str, Body]) -> Step:
    proof = prove(theorem)
    if proof.replayed is None:
        why = proof.refusal.message if proof.refusal else ""
        raise Refused(f"the cited theorem {theorem.name} is not proved: {why}")
    bodies.update(proof.bodies)
    index = [name for name, _ in proof.replayed.says].index(part)
    sequent = proof.replayed.sequents[index]
    args = {
        "name": theorem.name,
        "part": part,
        "certificate": proof.main,
        "hypotheses": sorted(sequent.hyps, key=repr),
        "formula": sequent.concl,
    }
    return Step("lemma", args, (), Sequent(sequent.hyps, sequent.concl, sequent.axioms))


# ------------------------------------------------------------------ writing the certificate


def write(theorem: Theorem, parts: Mapping[str, Step], signs: Sequence[Step]) -> Body:
    """The body of a certificate: the steps that the parts rest on, in order."""
    table, number = Table(), {}
    rows: list[Any] = []

    def visit(root: Step) -> int:
        stack = [(root, False)]
        while stack:
            s, ready = stack.pop()
            if id(s) in number:
                continue
            if not ready:
                stack.append((s, True))
                stack += [(p, False) for p in reversed(s.premises)]
                continue
            number[id(s)] = len(rows)
            args = {k: encode(v, table) for k, v in s.args.items()}
            rows.append([s.rule, args, [number[id(p)] for p in s.premises], table.number(s.concl)])
        return number[id(root)]

    says = [[part, table.number(th.concl), visit(th)] for part, th in parts.items()]
    defined = [visit(th) for th in signs]
    axioms = frozenset().union(*[th.sequent.axioms for th in (*parts.values(), *signs)])
    hypotheses = [table.number(h.formula) for h in theorem.given]
    return {
        "name": theorem.name,
        "hypotheses": hypotheses,
        "says": says,
        "well_defined": defined,
        "axioms": sorted(axioms),
        "nodes": table.nodes,
        "steps": rows,
    }
