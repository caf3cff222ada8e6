"""The statement lint: each Inv and Log of a statement is well-defined from its hypotheses.

An ill-defined one is accepted only as a factor of a product that is zero there: for p >= 0,
p log(p/q) is fine when p > 0 makes p/q positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sympy import Basic, Mul, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.signs import Signs, match
from derivations.kernel.terms import Eq, Imp, Inv, Log, Lt

Facts = tuple[Basic, ...]


@lru_cache(maxsize=256)
def _signs(known: Facts) -> Signs:
    return Normaliser(known).signs


def undefined(e: Basic, facts: Sequence[Basic]) -> list[Basic]:
    """The Inv and Log terms of e that the facts do not make well-defined."""
    known = tuple(facts)
    if isinstance(e, Imp):
        return undefined(e.args[0], known) + undefined(e.args[1], (*known, e.args[0]))
    if isinstance(e, Mul):
        return _product(e, known)
    below = _below(e, known)
    if isinstance(e, Inv) and not _signs(known).nonzero(e.args[0]):
        return [*below, e]
    if isinstance(e, Log) and not _signs(known).positive(e.args[0]):
        return [*below, e]
    return below


def _below(e: Basic, known: Facts) -> list[Basic]:
    under = B.binds(e)
    if not any(under):
        return [t for x in e.args for t in undefined(x, known)]
    v = B.fresh(B.scope_sort(e))
    inside = (*known, *_guard(e, v))
    return [
        t
        for x, b in zip(e.args, under, strict=True)
        for t in (undefined(B.open_body(x, v), inside) if b else undefined(x, known))
    ]


def _guard(e: Basic, v: Basic) -> Facts:
    """What the filter of a limit says about its variable."""
    if isinstance(e, K.Lim) and isinstance(e.args[0], K.Near):
        return (Imp(Eq(v, e.args[0].args[0]), Lt(0, 0)),)
    return (Lt(0, v),) if isinstance(e, K.Lim) and isinstance(e.args[0], K.Right) else ()


def _product(e: Mul, known: Facts) -> list[Basic]:
    """A factor may be ill-defined where another, non-negative, factor is zero."""
    signs, bad = _signs(known), []
    for i, x in enumerate(e.args):
        problems = undefined(x, known)
        others = [_base(y) for j, y in enumerate(e.args) if j != i]
        for guard in [y for y in others if problems and signs.nonneg(y)]:
            problems = undefined(x, _following(Lt(0, guard), known))
            if not problems:
                break
        bad += problems
    return bad


def _following(new: Basic, known: Facts) -> Facts:
    """The known facts, a new one, and what the known implications make of it: q(a) > 0 gives
    p(a) > 0 when q << p is among the hypotheses."""
    out = [*known, new]
    for p in known:
        vs, q = B.strip_all(p)
        m = match(q.args[0], new, frozenset(vs), {}) if isinstance(q, Imp) else None
        if m is not None and set(vs) <= set(m):
            out.append(B.substitute(q.args[1], m))
    return tuple(out)


def _base(y: Basic) -> Basic:
    return y.base if isinstance(y, Pow) else y
