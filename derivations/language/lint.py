"""The statement lint: each Inv and Log of a statement is well-defined from its hypotheses.

An ill-defined one is accepted only as a factor of a product that is zero there: for p >= 0,
p log(p/q) is fine when p > 0 makes p/q positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sympy import Mul, Pow

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.signs import Signs, match
from derivations.kernel.terms import Eq, Imp, Inv, Log, Lt, Term

Facts = tuple[Term, ...]


@lru_cache(maxsize=256)
def _signs(known: Facts) -> Signs:
    return Normaliser(known).signs


def undefined(e: Term, facts: Sequence[Term]) -> list[Term]:
    """The Inv and Log terms of e that the facts do not make well-defined."""
    return [*_undefined(e, tuple(facts))]


@lru_cache(maxsize=4096)
def _undefined(e: Term, known: Facts) -> list[Term]:
    if isinstance(e, Imp):
        return undefined(e.args[0], known) + undefined(e.args[1], _following(e.args[0], known))
    if isinstance(e, Mul):
        return _product(e, known)
    below = _below(e, known)
    if isinstance(e, Inv) and not _signs(known).nonzero(e.args[0]):
        return [*below, e]
    if isinstance(e, Log) and not _signs(known).positive(e.args[0]):
        return [*below, e]
    return below


def _below(e: Term, known: Facts) -> list[Term]:
    under = B.binds(e)
    if not any(under):
        return [t for x in e.args for t in undefined(x, known)]
    v = B.fresh(B.scope_sort(e))
    inside = (*known, *_guard(e, v), *_nearby(e, v, known))
    return [
        t
        for x, b in zip(e.args, under, strict=True)
        for t in (undefined(B.open_body(x, v), inside) if b else undefined(x, known))
    ]


def _guard(e: Term, v: Term) -> Facts:
    """What the filter of a limit says about its variable."""
    if isinstance(e, K.Lim) and isinstance(e.args[0], K.Near):
        return (Imp(Eq(v, e.args[0].args[0]), Lt(0, 0)),)
    return (Lt(0, v),) if isinstance(e, K.Lim) and isinstance(e.args[0], K.Right) else ()


def _nearby(e: Term, v: Term, known: Facts) -> Facts:
    """What holds in a neighbourhood of the point of a limit or a derivative: when the facts say
    l(x) < r(x) -> q(x), and l < r at the point, then q(v) may be supposed for v near it."""
    limit = isinstance(e, K.Lim) and isinstance(e.args[0], K.Near)
    if not limit and not isinstance(e, K.HasD):
        return ()
    point = e.args[0].args[0] if limit else e.args[1]
    out: list[Term] = []
    for p in known:
        vs, q = B.strip_all(p)
        if not isinstance(q, Imp) or not isinstance(q.args[0], Lt):
            continue
        sides: Term = q.args[0].args
        room = sides[1] - sides[0]
        xs = [x for x in vs if x in B.variables(room) and x.sort == K.REAL]
        polynomial = not any(isinstance(t, K.Head) for t in B.subterms(room))
        if (
            len(xs) == 1
            and polynomial
            and _signs(known).positive(B.substitute(room, {xs[0]: point}))
        ):
            rest = [y for y in vs if y != xs[0]]
            out.append(B.for_all(rest, B.substitute(q.args[1], {xs[0]: v})))
    return tuple(out)


def _product(e: Mul, known: Facts) -> list[Term]:
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


def _following(new: Term, known: Facts) -> Facts:
    """The known facts, a new one, and what the known implications make of it: q(a) > 0 gives
    p(a) > 0 when q << p is among the hypotheses."""
    out = [*known, new]
    for p in known:
        vs, q = B.strip_all(p)
        m = match(q.args[0], new, frozenset(vs), {}) if isinstance(q, Imp) else None
        if m is not None:
            out.append(B.for_all([x for x in vs if x not in m], B.substitute(q.args[1], m)))
    return tuple(out)


def _base(y: Term) -> Term:
    """What is zero where y is: p for p^2, but not for p^n, which is 1 at n = 0."""
    return y.base if isinstance(y, Pow) and y.exp.is_Integer else y
