"""The smallest counterexample to a refused line.

    refute(goal, hypotheses) -> Counterexample, or NoneFound

Models that satisfy the hypotheses are tried from the smallest sizes up, small rationals first; at
the first one that violates the goal, the index variables are fixed too, and both sides are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import torch
from sympy import Basic

from derivations.kernel import terms as K
from derivations.language.notation import LETTERS
from derivations.language.printing import text
from derivations.language.reasons import closed_formula
from derivations.language.syntax import formula
from derivations.tactics.theorem import Proof
from numerics.bridge import TOP, Scope
from numerics.instances import Batch, batches, sets_in
from numerics.instances.reading import replaced
from numerics.instances.rules import has_unbounded
from numerics.instances.shapes import clauses, symbols_in
from numerics.judgement import derivative, judge
from numerics.tables import NotBridged, Value

CLEAR = 1e-6  # a smaller violation is not shown as a counterexample
LARGEST = 3
ROUNDED = 5e-15  # a value below is shown as zero
MANY = 27  # a table with more numbers is not shown
Pairs = tuple[tuple[str, Any], ...]
# Simple models first: everything zero or equal, small rationals, then whatever is found.
SIMPLE = ("zero", "equal", "binary", *["small"] * 16, "point", "edge", "sparse", "twins")
SIMPLE += (*["corners"] * 8, "mild", "generic", "wide", "generic")


@dataclass(frozen=True)
class Counterexample:
    """A model of the hypotheses in which a formula fails: sizes, values, and both sides."""

    sizes: Pairs
    values: Pairs
    at: Pairs
    left: float
    right: float

    @property
    def model(self) -> str:
        """Sizes and values, in words."""
        counted = ", ".join(f"|{name}| = {n}" for name, n in self.sizes)
        given = ", ".join(f"{name} = {value}" for name, value in (*self.values, *self.at))
        return "; ".join(x for x in (counted, given) if x) or "no variables"

    def __str__(self) -> str:
        both = f"left {shown(self.left)}, right {shown(self.right)}"
        return f"it fails in a model ({self.model}): {both}."


@dataclass(frozen=True)
class NoneFound:
    """No counterexample: the line may be true, but its reasons do not justify it."""

    models: int
    why: str = ""

    def __str__(self) -> str:
        if self.why:
            return f"no counterexample was looked for: {self.why}."
        return (
            f"no counterexample was found in {self.models} models of the hypotheses: the line may "
            "be true, but the reasons given do not justify it."
        )


def refute(
    goal: Basic, hypotheses: Sequence[tuple[str, Basic]], seed: int = 0
) -> Counterexample | NoneFound:
    """The smallest model of the hypotheses that violates the goal, for all its index variables.

    A goal with antecedents is tried also in models made to meet them at one place."""
    closed = closed_formula(formula(goal))
    found = _searched(closed, closed, hypotheses, seed)
    if isinstance(found, Counterexample) or not clauses(closed).ifs:
        return found
    ifs, core = at_one_place(closed, hypotheses)
    named = [(f"assumption {i}", p) for i, p in enumerate(ifs, 1)]
    again = _searched(core, closed, [*hypotheses, *named], seed)
    if isinstance(again, Counterexample):
        return again
    return NoneFound(found.models + again.models, found.why)


def at_one_place(
    closed: Basic, hypotheses: Sequence[tuple[str, Basic]]
) -> tuple[tuple[Basic, ...], Basic]:
    """Antecedents and conclusion with a name for every quantified variable."""
    c = clauses(closed)
    taken = {str(getattr(f, "name", f)) for f in symbols_in([closed, *[p for _, p in hypotheses]])}
    env: dict[Basic, Basic] = {}
    for v, letter in zip(c.vars, letters([v.sort for v in c.vars]), strict=True):
        while letter in taken:
            letter += "′"
        env[v] = K.Var(letter, K.REAL) if v.sort == K.REAL else K.Fn(letter, v.sort)()
        taken.add(letter)

    def at(p: Basic) -> Basic:
        for v, name in env.items():
            p = replaced(p, v, name)
        return p

    return tuple(map(at, c.ifs)), at(c.core)


def _searched(
    goal: Basic, closed: Basic, hypotheses: Sequence[tuple[str, Basic]], seed: int
) -> Counterexample | NoneFound:
    """The smallest model that violates the goal, shown as one that violates the closed formula."""
    tried, why = 0, ""
    for row in sizes_up_to(LARGEST, len(sets_in([p for _, p in hypotheses] + [goal]))):
        (b,) = batches(hypotheses, [goal, closed], seed, (row,), SIMPLE)
        why = why or (f"no model satisfies the hypothesis {b.blame}" if b.blame else "")
        try:
            violation, _ = b.judge(goal)
        except NotBridged as e:
            why = str(e)
            continue
        tried += int(b.good.sum())
        bad = (b.good & (violation > CLEAR)).nonzero().flatten().tolist()
        if bad:
            return min((shown_in(closed, b, m) for m in bad), key=_length)
    return NoneFound(tried, "" if tried else why)


def counterexample(
    proof: Proof, assumed: Sequence[Basic] = ()
) -> Counterexample | NoneFound | None:
    """What refutes the refused line of a proof, under the hypotheses and what `assuming` blocks
    around the line assume; None when the refusal is not about a line."""
    goal = proof.refusal.goal if proof.refusal else None
    if goal is None:
        return None
    given = [(h.name, h.formula) for h in proof.theorem.given]
    for p in reversed(assumed):
        goal = K.Imp(p, goal)
    return refute(goal, given)


def sizes_up_to(largest: int, sets: int) -> Iterator[tuple[int, ...]]:
    """Sizes for some sets, fewest members first."""
    rows = product(range(1, largest + 1), repeat=max(sets, 1))
    yield from sorted(rows, key=lambda r: (sum(r), max(r), r))


def _length(c: Counterexample) -> int:
    return sum(len(v) for _, v in (*c.values, *c.at))


# ------------------------------------------------------------------ showing one model


def shown_in(p: Basic, b: Batch, m: int, more: Sequence[Basic] = ()) -> Counterexample:
    """The counterexample that model m of a batch is, at the index values that fail most, with the
    values of the symbols of p and of more formulas."""
    names, sc, core = worst_place(p, b, m)
    left, right = both_sides(core, b, sc, m)
    return Counterexample(*numbers_of([p, *more], b, m), names, left, right)


def numbers_of(formulas: Sequence[Basic], b: Batch, m: int) -> tuple[Pairs, Pairs]:
    """The sizes of the sets of a model and the values of the symbols of some formulas."""
    sizes = tuple((k, n) for k, n in b.model.sizes.items() if k != "*")
    return sizes, tuple(_values(formulas, b, m))


def worst_place(p: Basic, b: Batch, m: int) -> tuple[Pairs, Scope, Basic]:
    """Index values at which the violation is largest, the scope there, and the formula inside."""
    c = clauses(p)
    choices = [b.model.sampled(v.sort).tolist() for v in c.vars]
    best: tuple[float, Scope, tuple[Any, ...]] = (-2.0, TOP, ())
    inner = c.core
    for q in reversed(c.ifs):
        inner = K.Imp(q, inner)
    for row in product(*choices):
        env: dict[Basic, Value] = {v: fixed(x) for v, x in zip(c.vars, row, strict=True)}
        sc = Scope(1, (), env)
        found = float(judge(inner, b.first, sc).violation.detach().expand(b.model.width)[m])
        if found > best[0]:
            best = (found, sc, row)
    names = letters([v.sort for v in c.vars])
    at = tuple((n, shown(float(x))) for n, x in zip(names, best[2], strict=True))
    return at, best[1], c.core


def fixed(x: int | float) -> int | torch.Tensor:
    """A value of a quantified variable as the bridge wants it."""
    return x if isinstance(x, int) else torch.tensor(x, dtype=torch.float64)


def letters(sorts: Sequence[Basic]) -> list[str]:
    """Names for variables of these sorts, as the pages use them."""
    out: list[str] = []
    for s in sorts:
        name = s.name if isinstance(s, (K.Fin, K.Named)) else "words"
        letter = LETTERS.get(name, name.lower() if len(name) == 1 else "i")
        while letter in out:
            letter += "′"
        out.append(letter)
    return out


def both_sides(core: Basic, b: Batch, sc: Scope, m: int) -> tuple[float, float]:
    """The two sides of a relation in model m; of a limit, the expression far out (or close) and the
    limit; of a derivative, autograd's and the stated one."""
    if isinstance(core, (K.Eq, K.Le, K.Lt)):
        pair = [b.first.real(x, sc) for x in core.args]
    elif isinstance(core, K.HasD):
        pair = [derivative(core, b.first, sc)[0], b.first.real(core.args[2], sc)]
    elif isinstance(core, K.Lim):
        F, body, limit = core.args
        last = b.model.horizon if isinstance(F, K.Infinity) else torch.tensor(2.0**-10).double()
        if isinstance(F, K.Near):
            last = b.first.real(F.args[0], sc) + last
        pair = [b.first.real(body, sc.bind(last)), b.first.real(limit, sc)]
    else:
        return float("nan"), float("nan")
    left, right = (float(x.detach().expand(b.model.width)[m]) for x in pair)
    return left, right


def _values(formulas: Sequence[Basic], b: Batch, m: int) -> Iterator[tuple[str, str]]:
    """The numbers of the model for the symbols of the formulas that have a small table; of a
    sequence its beginning."""
    for f in sorted(symbols_in(formulas), key=str):
        tables = [t for key, (t, _) in b.first.tables.items() if key == (f,)]
        sequence = isinstance(f, K.Fn) and f.domain == (K.NAT,)
        if not tables or not (sequence or _is_small(f, tables[0].shape[:-1])):
            continue
        values = tables[0].detach().expand((*tables[0].shape[:-1], b.model.width))[..., m]
        values = torch.where(values.abs() < ROUNDED, 0, values)
        yield _name(f), f"({_listed(values[:4])}, …)" if sequence else _nested(values.tolist())


def _is_small(f: Basic, shape: Sequence[int]) -> bool:
    words = isinstance(f, K.Fn) and isinstance(f.codomain, K.WordsOf)
    unbounded = isinstance(f, K.Fn) and (has_unbounded(f) or words)
    return not unbounded and math.prod(shape) <= MANY


def _name(f: Basic) -> str:
    return text(f) if isinstance(f, K.Var) else text(K.Var(f.name, K.REAL))  # type: ignore


def _listed(values: torch.Tensor) -> str:
    return ", ".join(map(_nested, values.tolist()))


def _nested(x: object) -> str:
    if isinstance(x, list):
        return f"({', '.join(map(_nested, x))})"
    return shown(float(x))  # type: ignore[arg-type]


def shown(x: float) -> str:
    """A small fraction when the number is one, else five digits."""
    if x != x:
        return "not a number"
    near = Fraction(x).limit_denominator(60)
    if abs(float(near) - x) < 1e-12 * (1 + abs(x)) and (near or not x):
        return str(near)
    return f"{x:.5g}"
