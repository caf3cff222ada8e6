"""The power of a cross-check: which systematic mutants of a statement its models refute.

A mutant that no model refutes is looked at again.  Ill-defined by the statement lint: it is no
statement, and is left out.  An inequality that follows from the original on every model, wide
ranges included: a weaker one, true, left out and listed.  Otherwise it is offered to the kernel,
from the statement itself and with the reasons of each line; when it is proved it is true, is listed
and left out.  Whatever is left survives, and is listed.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sympy import Basic

from derivations import prove
from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Imp, Refused
from derivations.language.lint import undefined
from derivations.language.printing import text
from derivations.language.reasons import closed_formula
from derivations.tactics import cases
from derivations.tactics.context import Line
from derivations.tactics.steps import Step, assume, restate
from derivations.tactics.theorem import Proof, Theorem
from numerics.crosscheck import PASS, CrossCheck, Laboratory, crosscheck, judged_on, laboratory
from numerics.instances import Batch
from numerics.instances.shapes import clauses
from numerics.mutants import Mutant, functions_in, mutants
from numerics.tables import NotBridged

REFUTED = 1e-8  # a violation by less could be rounding
REFUSALS = (Refused, RecursionError, TypeError, ValueError, AttributeError, TimeoutError)
PATIENCE = 0.4  # processor seconds for one attempt of the kernel at a mutant
BUDGET = 3.0  # processor seconds for all attempts at one theorem; then survivors are not offered


@dataclass(frozen=True)
class Power:
    """Mutants that count (true ones are left out), how many were refuted, the others by name."""

    mutants: int
    refuted: int
    survivors: tuple[str, ...] = ()
    true: tuple[str, ...] = ()
    ill_defined: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the mutants that the models refute."""
        return self.refuted / self.mutants if self.mutants else 1.0


def power(what: Theorem | Proof, lab: Laboratory | None = None) -> Power:
    """Try every mutant of every part of a theorem's statement."""
    proof = what if isinstance(what, Proof) else prove(what)
    lab = lab or laboratory(proof)
    found: dict[str, list[str]] = {"refuted": [], "true": [], "survives": [], "ill-defined": []}
    symbols = sorted({f for _, p in lab.hypotheses for f in functions_in(p)}, key=lambda f: f.name)
    for part, p in proof.theorem.statement().items():
        for m in mutants(p, symbols):
            fate = "refuted" if refutes(m.formula, p, lab) else fate_of(m, p, proof, lab)
            found[fate].append("" if fate == "refuted" else described(part, m))
    n = len(found["refuted"])
    survivors, true = tuple(found["survives"]), tuple(found["true"])
    return Power(n + len(survivors), n, survivors, true, tuple(found["ill-defined"]))


def with_power(found: CrossCheck, p: Power) -> CrossCheck:
    """The cross-check with its power."""
    return replace(
        found, mutants=p.mutants, refuted=p.refuted, survivors=p.survivors, true_mutants=p.true
    )


def full_check(what: Theorem | Proof, seeds: Sequence[int] = (0,)) -> CrossCheck:
    """The cross-check and its power, on the same models."""
    proof = what if isinstance(what, Proof) else prove(what)
    lab = laboratory(proof, seeds)
    return with_power(crosscheck(proof, seeds, lab), power(proof, lab))


def described(part: str, m: Mutant) -> str:
    """A mutant in words."""
    return f"{part}, {m.kind}: {text(m.formula)}"


def refutes(p: Basic, original: Basic, lab: Laboratory) -> bool:
    """Does a model violate the formula?  Models for the original's antecedents are tried last."""
    return any(
        violates(p, b)
        for more in (lab.by_promise, lambda: lab.focus(original), lambda: lab.stress(original))
        for b in more()
    )


def violates(p: Basic, b: Batch) -> bool:
    """Does one model of a batch violate the formula?"""
    try:
        violation, _ = b.judge(p)
    except NotBridged:
        return False
    return bool((b.good & (violation > REFUTED)).any())


# ------------------------------------------------------------------ mutants that no model refutes


def fate_of(m: Mutant, p: Basic, proof: Proof, lab: Laboratory) -> str:
    """Ill-defined, true (and shown so) or a survivor."""
    given = [h for _, h in lab.hypotheses]
    facts = [*given, *(proof.replayed.signs if proof.replayed else ())]
    if undefined(m.formula, facts) and not undefined(p, facts):
        return "ill-defined"
    if is_weaker(m.formula, p, lab):
        return "true"
    start = time.process_time()
    spent = lab.notes.setdefault("spent", 0.0)
    true = spent < BUDGET and is_proved(m, p, proof, lab)
    lab.notes["spent"] += time.process_time() - start
    return "true" if true else "survives"


def is_weaker(q: Basic, p: Basic, lab: Laboratory) -> bool:
    """An inequality q that p implies on every model: its sides are farther apart everywhere."""
    old, new = clauses(p), clauses(q)
    same = tuple(v.sort for v in old.vars) == tuple(v.sort for v in new.vars)
    if not same or not all(isinstance(c.core, (K.Le, K.Lt)) for c in (old, new)):
        return False
    core = B.substitute(new.core, dict(zip(new.vars, old.vars, strict=True)))
    ifs = [B.substitute(i, dict(zip(new.vars, old.vars, strict=True))) for i in new.ifs]
    if tuple(ifs) != old.ifs or core.func is not old.core.func:
        return False
    l1, r1, l0, r0 = (*_terms(core), *_terms(old.core))
    farther: Basic = K.Le(l1 - r1, l0 - r0)
    for i in reversed(old.ifs):
        farther = Imp(i, farther)
    closed = B.for_all(list(old.vars), farther)
    return judged_on("", closed, [*lab.batches(), *lab.focus(p), *lab.stress(p)]).verdict == PASS


def _terms(p: Basic) -> tuple[Any, Any]:
    left, right = p.args
    return left, right


def is_proved(m: Mutant, p: Basic, proof: Proof, lab: Laboratory) -> bool:
    """The kernel proves the mutant from the part, or with the reasons of a line of the proof."""
    given = [assume(h) for _, h in lab.hypotheses]
    known = [assume(p), *given]
    attempts: list[Callable[[], Step]] = [
        lambda: restate(known[0], m.formula, given),
        lambda: cases.introduce(m.formula, known, known, cases.derive),
    ]
    return any(_succeeds(a) for a in attempts) or any(
        _succeeds(lambda again=again: again(m.formula)) for again in _reasons_for(p, proof, lab)
    )


def _reasons_for(p: Basic, proof: Proof, lab: Laboratory) -> Iterator[Callable[[Basic], Step]]:
    """The reasons of the lines that say p, then of those that say the same kind of thing."""
    lines = retries(proof, lab)
    head = clauses(p).core.func
    yield from (again for line, again in lines if line == p)
    yield from (again for line, again in lines if line != p and clauses(line).core.func is head)


def _succeeds(attempt: Callable[[], Step]) -> bool:
    try:
        with at_most(PATIENCE):
            attempt()
    except REFUSALS:
        return False
    return True


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when the block takes more processor time; only the main thread can be
    interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def retries(proof: Proof, lab: Laboratory) -> list[tuple[Basic, Callable[[Basic], Step]]]:
    """For each line, its closed formula and a function that proves another for the same reason."""
    if "retries" not in lab.notes:
        out: list[tuple[Basic, Callable[[Basic], Step]]] = []

        def collect(line: Line, again: Any) -> None:
            out.append((closed_formula(line.formula), again))

        prove(proof.theorem, collect)
        lab.notes["retries"] = out
    return lab.notes["retries"]
