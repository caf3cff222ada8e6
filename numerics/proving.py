"""Proving one theorem by name, and the entry of `proofgrad prove --json` for it."""

from __future__ import annotations

import gc
import math
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from derivations.library import Unusable, line_in

if TYPE_CHECKING:
    from derivations.tactics.theorem import Proof, Theorem

CIRCULAR = "circular citation: "


@dataclass(frozen=True)
class Task:
    """A theorem by name: the user's file ("" for the catalogue) and the id.

    Its lemmas and the length of its file tell when its turn is best.
    """

    file: str
    id: str
    needs: tuple[str, ...]
    length: int
    crosscheck: bool
    keep_certificate: bool


@dataclass(frozen=True)
class Outcome:
    """The JSON entry of one theorem, what people read when something is wrong, its certificate."""

    entry: dict[str, Any]
    message: str
    certificate: dict[str, Any] | None


def has_torch() -> bool:
    """Whether torch is installed; it is not imported."""
    return find_spec("torch") is not None


def task_of(t: Theorem, crosscheck: bool, keep_certificate: bool) -> Task:
    """The theorem's name, as another process can look it up."""
    mine = t.proof.__module__.startswith("derivations.theorems.")
    needs = tuple(lemma.name for lemma in lemmas_of(t))
    length = Path(t.file).stat().st_size
    file = "" if mine else t.file
    return Task(file, t.name, needs, length, crosscheck and has_torch(), keep_certificate)


def lemmas_of(t: Theorem) -> list[Theorem]:
    """The theorems of other files that t's file imports, and theirs: deepest first.

    What it really cites is known only from its certificate; this is where to look first.
    """
    from derivations.tactics.theorem import Theorem

    found: dict[str, Theorem] = {}
    for value in vars(sys.modules[t.proof.__module__]).values():
        if isinstance(value, Theorem) and value.file != t.file:
            found.update({lemma.name: lemma for lemma in [*lemmas_of(value), value]})
    return list(found.values())


# ------------------------------------------------------------------ one theorem


def attempt(task: Task) -> Outcome:
    """Prove one theorem.  Raises Unusable when its file or its proof cannot be run."""
    from derivations.library import find, load_file

    theorem = find(task.id, load_file(task.file) if task.file else None)
    for lemma in lemmas_of(theorem):  # before the clock of the theorem itself runs
        proved(lemma)
    gc.freeze()  # what is proved is kept: no collection need look at it again and hold up a step
    proof = proved(theorem)
    entry = {**entry_of(proof), "crosscheck": None}
    message = _explained(proof, entry, task.crosscheck)
    if task.crosscheck and proof.replayed is not None:
        entry["crosscheck"], why = _crosschecked(theorem)
        verdict = entry["crosscheck"]["verdict"]
        message = message if verdict == "pass" else f"{theorem.name}: cross-check {verdict}: {why}"
    certificate = proof.certificate() if task.keep_certificate and proof.main else None
    return Outcome(entry, message, certificate)


def proved(theorem: Theorem) -> Proof:
    """The proof's outcome; a proof that raises something of its own is unusable input."""
    from derivations.tactics.theorem import prove
    from numerics.refusal import place

    where, doing = place(theorem.file), "reading the statement of"
    try:
        theorem.statement()
        doing = "proving"
        proof = prove(theorem)
    except KeyboardInterrupt:
        raise
    except BaseException as e:  # SystemExit too
        at = f"{where}{line_in(e, theorem.file)}"
        what = f"{doing} {theorem.name} raised {type(e).__name__}: {e}"
        raise Unusable(f"{at}: {what}") from None
    if proof.refusal is not None and CIRCULAR in proof.refusal.message:
        circle = proof.refusal.message.partition(CIRCULAR)[2].partition("\n")[0]
        raise Unusable(f"{where}, line {proof.refusal.line}: {CIRCULAR}{circle}")
    return proof


def entry_of(proof: Proof) -> dict[str, Any]:
    """The JSON entry of a theorem; the statement is the replayed one where there is one."""
    from derivations.language.printing import text
    from numerics.refusal import place

    theorem, replayed = proof.theorem, proof.replayed
    says = [p for _, p in replayed.says] if replayed else [*theorem.statement().values()]
    given = [*replayed.hypotheses] if replayed else [h.formula for h in theorem.given]
    return {
        "id": theorem.name,
        "file": place(theorem.file),
        "status": proof.status,
        "generic": replayed.generic if replayed else False,
        "says": [*map(text, says)],
        "given": [*map(text, given)],
        "steps": replayed.steps if replayed else len(proof.lines),
        "axioms": [*replayed.axioms] if replayed else [],
        "uses": [*replayed.uses] if replayed else [],
        "seconds": round(proof.seconds, 4),
        "slowest_step": round(max((line.seconds for line in proof.lines), default=0.0), 4),
        "refusal": None,
    }


def _explained(proof: Proof, entry: dict[str, Any], search: bool) -> str:
    """The message of a refusal; its parts are filed in the entry."""
    from numerics import refusal
    from numerics.refusal import NOT_SEARCHED

    r = proof.refusal
    if r is None:
        return ""
    left, right = refusal.sides(r.goal) if r.goal is not None else ("", "")
    found, said = _searched(proof) if search and r.goal is not None else (None, NOT_SEARCHED)
    entry["refusal"] = {"step": r.step, "line": r.line, "left": left, "right": right}
    entry["refusal"]["counterexample"] = found
    return refusal.message(proof, said)


def _searched(proof: Proof) -> tuple[str | None, str]:
    """The smallest counterexample to the refused line, and what to say when there is none."""
    from numerics.refute import Counterexample, counterexample

    assert proof.refusal is not None
    try:
        answer = counterexample(proof, proof.refusal.assumed)
    except Exception as e:  # a model that cannot be made or evaluated is no counterexample
        return None, f"none, the search raised {type(e).__name__}: {e}"
    said = str(answer)
    return (said if isinstance(answer, Counterexample) else None), said


def _crosschecked(theorem: Theorem) -> tuple[dict[str, Any], str]:
    """The numbers for the entry, and why they do not pass."""
    from numerics.power import full_check

    try:
        found = full_check(theorem)
    except Exception as e:  # a model that cannot be made or evaluated decides nothing
        numbers = {"verdict": "inconclusive", "models": 0, "worst_residual": None}
        return {**numbers, "mutants": 0, "refuted": 0}, f"{type(e).__name__}: {e}"
    numbers = found.as_json()
    if not math.isfinite(numbers["worst_residual"]):  # JSON has no infinity
        numbers["worst_residual"] = None
    return numbers, found.why
