"""Systematic mutants of a formula, and the power of a cross-check against them.

Each mutant changes one place of the kernel formula: a sign, a symbol for another of its type, a
dropped factor or term, an index for another in scope, a constant, an exponent, a lost reciprocal, a
reversed inequality, a dropped antecedent.  A cross-check must refute them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Add, Basic, Integer, Mul, Pow, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Refused
from derivations.language.reasons import index_variables

Rebuild = Callable[[Basic], Basic]


@dataclass(frozen=True)
class Mutant:
    """A changed formula and what was changed."""

    kind: str
    formula: Basic


@dataclass(frozen=True)
class Place:
    """A subterm, how to put another in its stead, the sorts of the binders above it, what it stands
    in, and the free index variables of the formula."""

    term: Any
    rebuild: Rebuild
    above: tuple[Basic, ...]
    parent: Any
    free: tuple[Basic, ...] = ()


def mutants(p: Basic, symbols: Sequence[K.Fn] = ()) -> list[Mutant]:
    """Every mutant of a formula, without repetition; `symbols` may be swapped in."""
    found: dict[Basic, str] = {}
    swaps = sorted({*symbols, *functions_in(p)}, key=repr)
    for place in places(p):
        for kind, term in _changes(place, swaps):
            try:
                made = B.check(place.rebuild(term))
            except (Refused, TypeError, AttributeError):
                continue
            if made != p and isinstance(made, K.Formula):
                found.setdefault(made, kind)
    return [Mutant(kind, q) for q, kind in found.items()]


def functions_in(p: Basic) -> set[K.Fn]:
    """The function symbols of a formula."""
    return {e for e in B.subterms(p) if isinstance(e, K.Fn)}


def places(p: Basic) -> Iterator[Place]:
    """Every subterm outside sorts, sets and antecedents, outermost first."""

    free = tuple(index_variables(p))

    def walk(e: Basic, rebuild: Rebuild, above: tuple[Basic, ...], parent: Basic | None):
        yield Place(e, rebuild, above, parent, free)
        if not e.args or isinstance(e, K.Sort):
            return
        for i, (x, b) in enumerate(zip(e.args, B.binds(e), strict=True)):
            if isinstance(e, K.Imp) and i == 0:
                continue
            inner = (*above, B.scope_sort(e)) if b else above

            def put(y: Basic, e: Basic = e, i: int = i, rebuild: Rebuild = rebuild) -> Basic:
                return rebuild(e.func(*e.args[:i], y, *e.args[i + 1 :]))

            yield from walk(x, put, inner, e)

    yield from walk(p, lambda x: x, (), None)


def _changes(place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    e = place.term
    for rule in (_relation, _sum, _factor, _number, _power, _head, _symbol, _index):
        yield from rule(e, place, swaps)


def _relation(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if isinstance(e, (K.Le, K.Lt)) and e != K.Lt(0, 0):
        yield "reversed inequality", e.func(*e.args[::-1])
    if isinstance(e, K.Imp) and e.args[1] != K.Lt(0, 0):
        yield "dropped antecedent", e.args[1]
    if isinstance(e, (K.Eq, K.Le, K.Lt)) and e != K.Lt(0, 0):
        right: Any = e.args[1]
        yield "sign of a side", e.func(e.args[0], -right)


def _sum(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if isinstance(e, Add) and K.sort_of(e) != K.NAT:
        for x in e.args:
            yield "sign of a term", e - 2 * x
            yield "dropped term", e - x


def _factor(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if isinstance(e, Mul):
        for i, x in enumerate(e.args):
            rest = Mul(*e.args[:i], *e.args[i + 1 :])
            if x == -1:
                yield "sign", rest
            else:
                yield "dropped factor", rest


def _number(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if not isinstance(e, Rational) or e == -1 or isinstance(place.parent, (K.Nil, K.Words)):
        return
    if isinstance(place.parent, Pow):
        return
    yield "constant", e + 1
    if e > 0 and isinstance(e, Integer) and isinstance(place.parent, (K.Range, K.App)):
        yield "constant", e - 1


def _power(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if isinstance(e, Pow):
        yield "dropped power", e.base
        yield "exponent", e.base ** (e.exp + 1)


def _head(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    if isinstance(e, K.Inv):
        yield "lost reciprocal", e.args[0]
    if isinstance(e, K.Exp):
        inner: Any = e.args[0]
        yield "sign of an exponent", K.Exp(-inner)
    if isinstance(e, K.Log):
        yield "lost logarithm", e.args[0]
    side = isinstance(place.parent, (K.Eq, K.Le, K.Lt, K.Lim, K.HasD))
    single = isinstance(e, (K.Exp, K.Log, K.Inv, K.Sum, K.App))
    if side and single and 0 not in place.parent.args:  # twice a side against 0 says the same
        yield "factor 2", 2 * e


def _symbol(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    """A function for another of the same type: a policy for another policy."""
    if isinstance(e, K.App):
        for f in swaps:
            if f != e.fn and f.args[1:] == e.fn.args[1:]:
                yield f"{e.fn.name} for {f.name}", K.App(f, *e.args[1:])


def _index(e: Any, place: Place, swaps: Sequence[K.Fn]) -> Iterator[tuple[str, Basic]]:
    """Two arguments of one sort exchanged, or one index variable for another in scope."""
    if isinstance(e, (K.App, K.Delta)):
        first = 1 if isinstance(e, K.App) else 0
        for i in range(first, len(e.args)):
            for j in range(i + 1, len(e.args)):
                if K.sort_of(e.args[i]) == K.sort_of(e.args[j]) and e.args[i] != e.args[j]:
                    args = list(e.args)
                    args[i], args[j] = args[j], args[i]
                    if not isinstance(e, K.Delta):
                        yield "exchanged indices", e.func(*args)
    if isinstance(e, K.Variable) and isinstance(place.parent, (K.App, K.Delta, Pow, K.Snoc)):
        for k, sort in enumerate(reversed(place.above)):
            other = K.Bound(k, sort)
            if sort == e.sort and other != e:
                yield "wrong index", other
        for other in place.free:
            if other.sort == e.sort and other != e:  # type: ignore[attr-defined]
                yield "wrong index", other
