"""Why each hypothesis is there: a model of all the others in which the statement fails.

    needs(proof) -> one Need a hypothesis

A part of the statement whose replayed proof does not rest on a hypothesis is true without it, so
models are tried only for the parts that do.  Sizes and models are fixed, small rationals first, so
that the same theorem gives the same models; what is not found among them is said not to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import torch
from sympy import Basic
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.language.lint import undefined
from derivations.language.printing import text
from derivations.tactics.theorem import Proof
from numerics.bridge import Scope
from numerics.instances import Batch, batches, sets_in
from numerics.instances.rules import has_unbounded
from numerics.instances.shapes import clauses, symbols_in
from numerics.judgement import TOLERANCE, judge
from numerics.refute import CLEAR, SIMPLE, Counterexample, numbers_of, shown, shown_in
from numerics.tables import NotBridged

SIZES = ((1,), (2,), (2, 3))
FAR = 25  # odd, and its half even: a sum that only alternates is not taken for a limit
MANY = 12  # with more hypotheses than that the largest size is left out
SEEDS = (0, 1, 2)  # the first alone where limits, slopes or sequences make a model expensive
NOISE = 1e-11  # shown as zero
LOOKED_AT = 6  # of the models that break a part at one size; the shortest is shown
Named = tuple[str, Basic]

UNUSED, FAILS, NO_VALUE, OPEN, NONE = "unused", "fails", "no value", "open", "none"
SLOPES = ("the derivative is", "it would be")
FAR_OUT = ("far out the expression is", "the limit would be")
CLOSE = ("close to the point the expression is", "the limit would be")
ALONE = Scope(1, (), {})
BOTH = ("its left side is", "its right side")


@dataclass(frozen=True)
class Need:
    """What is known of a statement without one hypothesis.

    `kind` says which: no part rests on it (unused); the `part` fails in the `model`, with both
    values in `why`; it asks for a logarithm that does not exist there (no value); no model was
    found, but nothing says any more that the term in `why` is defined (open); or no model was found
    that breaks it (none).  `models` is how many were tried.
    """

    kind: str
    part: str = ""
    model: str = ""
    why: str = ""
    models: int = 0


def needs(proof: Proof) -> tuple[Need, ...]:
    """One answer a hypothesis, in their order; nothing for a proof that does not replay."""
    if proof.replayed is None:
        return ()
    given = [(h.name, h.formula) for h in proof.theorem.given]
    sizes = SIZES if len(given) <= MANY else SIZES[:-1]
    out = []
    for i, (_, h) in enumerate(given):
        parts = [
            (part, s.concl)
            for (part, _), s in zip(proof.replayed.says, proof.replayed.sequents, strict=True)
            if h in s.hyps
        ]
        out.append(need_for(h, parts, [*given[:i], *given[i + 1 :]], sizes))
    return tuple(out)


def need_for(
    h: Basic, parts: Sequence[Named], others: Sequence[Named], sizes: Sequence[Sequence[int]]
) -> Need:
    """What becomes of the parts that rest on a hypothesis when only the others hold."""
    if not parts:
        return Need(UNUSED)
    tried, second = 0, None
    formulas = [h, *[p for _, p in (*parts, *others)]]
    rows = sizes if sets_in(formulas) else sizes[:1]
    seeds = SEEDS[:1] if _is_expensive(formulas) else SEEDS
    for row, seed in product(rows, seeds):
        try:
            (b,) = batches(others, formulas, seed, (row,), SIMPLE, FAR)
        except NotBridged:
            continue
        tried += int(b.good.sum())
        for found in _broken(h, parts, others, b):
            if found.kind == FAILS:
                return found
            second = second or found
    return second or _open(h, parts, [p for _, p in others], tried)


def _is_expensive(formulas: Sequence[Basic]) -> bool:
    parts = [e for p in formulas for e in B.subterms(p)]
    return any(
        isinstance(e, (K.Lim, K.HasD, K.Series)) or (isinstance(e, K.Fn) and has_unbounded(e))
        for e in parts
    )


def _broken(h: Basic, parts: Sequence[Named], others: Sequence[Named], b: Batch) -> Iterator[Need]:
    """The parts that fail, or have no value, in a model of one batch."""
    rules = b.model.plan.rules
    free = [h, *[f for f in symbols_in([p for _, p in others]) if f not in rules]]
    for part, p in parts:
        try:
            violation, _ = b.judge(p)
            fails = b.good & (violation > CLEAR)
            lost = b.good & reads_off(p, b)
            if not bool((fails | lost).any()):
                continue
            dropped, unsure = b.judge(h)
        except NotBridged:
            continue
        # The theorem is proved: where the hypothesis holds after all, rounding broke it.
        dropping = (dropped > TOLERANCE) | unsure
        bad = (fails & dropping).nonzero().flatten().tolist()
        if bad:
            found = min((shown_in(p, b, m, free) for m in bad[:LOOKED_AT]), key=_length)
            yield Need(FAILS, part, found.model, _values(p, found))
        off = (lost & dropping).nonzero().flatten().tolist()
        if off:
            nowhere = float("nan")
            models = [
                Counterexample(*numbers_of([p, *free], b, m), (), nowhere, nowhere)
                for m in off[:LOOKED_AT]
            ]
            yield Need(NO_VALUE, part, min(models, key=_length).model)


def reads_off(p: Basic, b: Batch) -> Tensor:
    """In which models a formula depends on what a logarithm is off the positive reals: in either
    side, or, under quantifiers, in its violation."""
    if not b.first.met_off:
        return torch.zeros(b.model.width, dtype=torch.bool)
    both = (b.first, b.second)
    if isinstance(p, (K.Eq, K.Le, K.Lt)):
        pairs = [[ev.real(side, ALONE) for ev in both] for side in p.args]
    else:
        pairs = [[judge(p, ev).violation for ev in both]]
    apart = [(one - two).abs() > CLEAR for one, two in pairs]
    return torch.stack([x.expand(b.model.width).detach() for x in apart]).any(0)


def _open(h: Basic, parts: Sequence[Named], others: Sequence[Basic], tried: int) -> Need:
    """No model: perhaps a term is left that only the hypothesis made well-defined."""
    for part, p in parts:
        known = undefined(p, [*others, h])
        lost = [t for t in undefined(p, others) if t not in known]
        if lost:
            return Need(OPEN, part, why=text(lost[0]), models=tried)
    return Need(NONE, models=tried)


def _values(p: Basic, found: Counterexample) -> str:
    core, names = clauses(p).core, BOTH
    if isinstance(core, K.Lim):
        names = FAR_OUT if isinstance(core.args[0], K.Infinity) else CLOSE
    elif isinstance(core, K.HasD):
        names = SLOPES
    left, right = (shown(0.0 if abs(x) < NOISE else x) for x in (found.left, found.right))
    return f"{names[0]} {left}, {names[1]} {right}"


def _length(c: Counterexample) -> tuple[int, str]:
    return len(c.model), c.model
