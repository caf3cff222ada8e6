"""A structural order on terms, and the canonical order of the binders of a monomial.

Binders are told apart by colour refinement.  What refinement leaves tied is individualised; binders
that may be swapped without changing the monomial are tried once only, so that seven interchangeable
sums cost seven steps and not 7! permutations.  Nothing here can make two different monomials equal:
the result is always a renaming of binders.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Add, Mul, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Delta, Slot, Term

Atoms = list[tuple[Term, int]]
Sets = tuple[Term, ...]
Slots = list[Slot]
Colour = list[int]


@cache
def key(e: Term) -> tuple[Any, ...]:
    """A total, structural order: equal keys mean equal terms."""
    return _key(e, {})


def _key(e: Term, colour: Mapping[Term, int]) -> tuple[Any, ...]:
    if e in colour:
        return ("", colour[e])
    if isinstance(e, K.Variable):
        return (type(e).__name__, isinstance(e.tag, str), e.tag, key(e.sort))
    if isinstance(e, Rational):
        return ("0", int(e.p), int(e.q))
    if not e.args:
        return (type(e).__name__, str(e))
    below = [_key(x, colour) if colour and B.variables(x) else key(x) for x in e.args]
    if isinstance(e, (Add, Mul, Delta, K.Max2)):
        below.sort()
    return (type(e).__name__, len(below), *below)


def arrange(powers: Mapping[Term, int], sets: Sets, level: int) -> tuple[tuple[Any, ...], Sets]:
    """The factors and sets with the binders in canonical order and the factors sorted."""
    atoms = list(powers.items())
    if len(sets) > 1:
        slots = [Slot(level + i, K.member_sort(X)) for i, X in enumerate(sets)]
        own = [ak for ak in atoms if not B.variables(ak[0]).isdisjoint(slots)]
        order = _search(own, sets, slots, _refine(own, sets, slots, [0] * len(sets)))[1]
        move = {slots[i]: Slot(level + j, slots[i].sort) for j, i in enumerate(order)}
        atoms = [(_renamed(a, move), k) for a, k in atoms]
        sets = tuple(B.substitute(sets[i], move) for i in order)
    return tuple(sorted(atoms, key=lambda ak: (key(ak[0]), ak[1]))), sets


def _renamed(a: Term, move: Mapping[Term, Term]) -> Term:
    a = B.substitute(a, move)
    return a.func(*sorted(a.args, key=key)) if isinstance(a, Delta) else a


def _refine(atoms: Atoms, sets: Sets, slots: Slots, colour: Colour) -> Colour:
    """Split colours by how each slot occurs until nothing splits any more."""
    while True:
        now = dict(zip(slots, colour, strict=True))
        marks: list[Any] = []
        for i, s in enumerate(slots):
            own = {**now, s: -1}
            seen = sorted((_key(a, own), k) for a, k in atoms if s in B.variables(a))
            inside = sorted(_key(X, own) for X in sets if s in B.variables(X))
            marks.append((colour[i], _key(sets[i], now), seen, inside))
        rank = [sum(other < m for other in marks) for m in marks]
        if len(set(rank)) == len(set(colour)):
            return rank
        colour = rank


def _search(atoms: Atoms, sets: Sets, slots: Slots, colour: Colour) -> tuple[Any, Colour]:
    """The best discrete colouring: its key and the order of the binders."""
    tied = [c for c in sorted(set(colour)) if colour.count(c) > 1]
    if not tied:

        def depth(i: int) -> int:
            """A set that mentions another binder comes after it."""
            inside = [j for j, s in enumerate(slots) if s in B.variables(sets[i])]
            return 1 + max(map(depth, inside), default=0)

        order = sorted(range(len(sets)), key=lambda i: (depth(i), colour[i]))
        now = {slots[i]: place for place, i in enumerate(order)}
        return sorted((_key(a, now), k) for a, k in atoms), order
    found: dict[int, tuple[Any, Colour]] = {}
    for i in [i for i, c in enumerate(colour) if c == tied[0]]:
        if not any(_interchangeable(slots[i], slots[j], atoms, sets) for j in found):
            one = [2 * c + (c == tied[0] and j != i) for j, c in enumerate(colour)]
            found[i] = _search(atoms, sets, slots, _refine(atoms, sets, slots, one))
    return min(found.values())


def _interchangeable(s: Slot, t: Slot, atoms: Atoms, sets: Sets) -> bool:
    swap, have = {s: t, t: s}, set(atoms)
    apart = all({s, t}.isdisjoint(B.variables(X)) for X in sets)
    return apart and all((_renamed(a, swap), k) in have for a, k in atoms)
