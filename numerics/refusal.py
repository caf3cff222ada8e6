"""What people read when a step is refused: where, which line, what is left over, a counterexample.

Both sides are written in the notation of the page.  Everything here is text; the verdict is the
kernel's.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sympy import Basic

    from derivations.tactics.theorem import Proof

UNEXPLAINED = "left over after"  # how the search's own message begins; the residual says it better


class Sides(NamedTuple):
    """The two sides of a line, its quantifiers and assumptions left aside."""

    left: str
    right: str


def sides(goal: Basic) -> Sides:
    """Both sides of a relation; body and limit; function and derivative."""
    from derivations.kernel import terms as K
    from derivations.language.formats import UNICODE
    from derivations.language.printing import printer
    from derivations.language.shape import is_unequal

    p, bound = printer(UNICODE, goal), ()
    while isinstance(goal, (K.All, K.Imp)) and not is_unequal(goal):
        if isinstance(goal, K.All):
            bound = (*bound, p.fresh(goal, bound))
        goal = goal.args[1]
    if isinstance(goal, K.Lim):
        inside = (*bound, p.fresh(goal, bound))
        return Sides(p.formula(goal.args[1], inside), p.formula(goal.args[2], bound))
    if isinstance(goal, K.HasD):
        inside = (*bound, p.fresh(goal, bound))
        return Sides(p.formula(goal.args[0], inside), p.formula(goal.args[2], bound))
    if isinstance(goal, (K.Eq, K.Le, K.Lt)):
        return Sides(*[p.formula(t, bound) for t in goal.args])
    return Sides(p.formula(goal, bound), "")


def message(proof: Proof, counterexample: str) -> str:
    """Theorem, file, line and step; the line and both sides; the reasons; what they leave over."""
    from derivations.language.formats import UNICODE, words_of
    from derivations.language.printing import printer

    r, theorem = proof.refusal, proof.theorem
    assert r is not None
    head = f"{theorem.name}: step {r.step} is refused ({place(theorem.file)}, line {r.line})"
    if r.goal is None:
        return f"{head}\n  {r.message}"
    p = printer(UNICODE, *[e for e in (r.goal, r.residual) if e is not None])
    left, right = sides(r.goal)
    reasons = "; ".join(map(words_of, r.reasons)) or "none (algebra alone)"
    rows = [("the line", p.formula(r.goal)), ("left", left), ("right", right)]
    rows.append(("reasons given", reasons))
    if r.residual is not None and r.residual != 0:
        rows.append(("left over", f"{p.formula(r.residual)}   (explained by none of the reasons)"))
    if not r.message.startswith(UNEXPLAINED):
        rows.append(("because", r.message))
    rows.append(("counterexample", counterexample))
    return "\n".join([head, *[f"  {name + ':':<16}{said}" for name, said in rows if said]])


NOT_SEARCHED = "not searched: `proofgrad prove` looks for one when torch is there"


def place(file: str) -> str:
    """A file as seen from the repository, or from where the user stands."""
    import derivations

    path = Path(file).resolve()
    root = Path(derivations.__file__).resolve().parent.parent
    for base in (root, Path(os.getcwd()).resolve()):
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix()
    return file
