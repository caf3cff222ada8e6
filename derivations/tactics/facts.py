"""Facts as a search can use them: instances for real parameters, and matching of monomials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.monomial import Mono
from derivations.kernel.order import key
from derivations.kernel.signs import match
from derivations.kernel.terms import REAL, Slot, Term, Var
from derivations.tactics.steps import Step, closed, fresh_like, innermost, inst, is_relation, strip

Values = Mapping[Term, Term]
HEADED = (K.App, K.Log, K.Exp, K.Inv, K.Max2, K.Delta, K.Max)


@dataclass(frozen=True)
class Fact:
    """for all vs: hyps -> relation, an instance of `step` at the terms `at`."""

    step: Step
    vs: tuple[Var, ...]
    hyps: tuple[Term, ...]
    relation: Term
    at: tuple[Term, ...]

    def instance(self, values: Values) -> Step:
        """The step at these values of vs, its hypotheses still in front."""
        return inst(self.step, *[B.substitute(t, values) for t in self.at])


@lru_cache(maxsize=4096)
def as_fact(th: Step, keep: frozenset[Term] = frozenset()) -> Fact | None:
    """A relation behind quantifiers and hypotheses, or None.  An instance at variables to keep,
    those of the goal, is meant at these; its other index variables are general."""
    if not is_relation(innermost(th.concl)):
        return None
    th = closed(th, keep)
    vs, hyps, relation = strip(th.concl)
    return Fact(th, tuple(vs), tuple(hyps), relation, tuple(vs)) if is_relation(relation) else None


def headed_subterms(e: Term) -> Iterator[Term]:
    """Applications, logarithms and the like in e, binders opened by fresh variables."""
    if isinstance(e, HEADED):
        yield e
    under = B.binds(e)
    v = fresh_like(Var("i", B.scope_sort(e))) if any(under) else None
    for x, b in zip(e.args, under, strict=True):
        if not isinstance(x, K.Sort):
            yield from headed_subterms(B.open_body(x, v) if b and v is not None else x)


def specialise(fact: Fact, terms: Sequence[Term], keep: frozenset[Term]) -> list[Fact]:
    """Fix the real variables of a fact by matching one of its subterms against the terms as
    written (the normal form would destroy log(p/q)); variables outside `keep` stay general."""
    reals = {v for v in fact.vs if v.sort == REAL}
    if not reals:
        return [fact]
    vs = frozenset(fact.vs)
    patterns = {p for p in headed_subterms(fact.relation) if reals <= B.variables(p)}
    rank = sorted(
        patterns, key=lambda p: (-len(B.variables(p) & vs), not isinstance(p, K.App), repr(key(p)))
    )
    for p in rank:
        opened = B.variables(p) - B.variables(fact.relation)
        found = [m for t in terms if (m := match(p, t, vs | opened, {})) is not None]
        mine = [{v: x for v, x in m.items() if v in vs} for m in found]
        if mine:
            distinct = [m for i, m in enumerate(mine) if m not in mine[:i]]
            return [_at_values(fact, m, keep) for m in distinct]
    return []


def _at_values(fact: Fact, m: Values, keep: frozenset[Term]) -> Fact:
    inside = frozenset().union(*map(B.variables, m.values())) - keep
    general = sorted((v for v in inside if v.sort != REAL), key=lambda v: repr(key(v)))
    rename = {v: fresh_like(v) for v in general}
    values = {v: B.substitute(t, rename) for v, t in m.items()}
    return replace(
        fact,
        vs=(*[v for v in fact.vs if v not in m], *rename.values()),
        hyps=tuple(B.substitute(h, values) for h in fact.hyps),
        relation=B.substitute(fact.relation, values),
        at=tuple(B.substitute(t, values) for t in fact.at),
    )


@dataclass(frozen=True)
class Place:
    """Where a monomial of a fact sits in a monomial of the goal."""

    values: Values
    rest: tuple[tuple[Term, int], ...]
    outer: tuple[tuple[Slot, Term], ...]


def places(pattern: Mono, goal: Mono, vs: Sequence[Var]) -> Iterator[Place]:
    """Match the factors of pattern injectively into those of goal: the pattern's binders go to
    distinct binders of the goal over the same set, the others stay around."""
    far = 10**6
    own = {Slot(i, K.member_sort(X)): Slot(far + i, K.member_sort(X)) for i, X in _slots(pattern)}
    factors = [(B.substitute(a, own), k) for a, k in pattern.factors]
    binders = [(own[Slot(i, K.member_sort(X))], B.substitute(X, own)) for i, X in _slots(pattern)]
    free = frozenset([*vs, *own.values()])
    factors.sort(key=lambda f: (isinstance(f[0], Var), -len(B.variables(f[0]) & free)))
    there: dict[Term, Term] = {Slot(i, K.member_sort(X)): X for i, X in _slots(goal)}
    for values, rest in _embed(factors, dict(goal.factors), free, {}):
        image = [values.get(s) for s, _ in binders]
        if not all(t in there for t in image) or len(set(image)) < len(image):
            continue
        found: Values | None = values
        for t, (_, X) in zip(image, binders, strict=True):
            found = match(X, there[t], free, dict(found)) if found is not None else None
        if found is None:
            continue
        values = found
        outer = tuple((s, X) for s, X in there.items() if s not in image)
        escaping = [values[v] for v in vs if v in values] + [*rest] + [X for _, X in outer]
        if frozenset().union(*map(B.variables, escaping)).isdisjoint(set(image)):
            yield Place({v: values[v] for v in vs if v in values}, tuple(rest.items()), outer)


def _slots(m: Mono) -> list[tuple[int, Term]]:
    return list(enumerate(m.sets))


def _embed(
    factors: list[tuple[Term, int]], rest: dict[Term, int], free: frozenset[Term], m: Values
) -> Iterator[tuple[Values, dict[Term, int]]]:
    if not factors:
        yield m, rest
        return
    a, k = factors[0]
    for b, have in list(rest.items()):
        enough = have >= k if k > 0 else have <= k
        found = match(a, b, free, dict(m)) if enough else None
        if found is None:
            continue
        left = {c: j for c, j in rest.items() if c != b}
        if have != k:
            left[b] = have - k
        yield from _embed(factors[1:], left, free, found)
