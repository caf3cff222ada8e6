"""Signs: 0 < t, 0 <= t and t != 0, from proved formulas and a few structural rules.

A fact  for all vs: l < r  answers for every instance of r - l, up to a positive rational factor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations
from typing import NamedTuple

from sympy import Add, Basic, Mul, Pow, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, Card, Delta, Exp, Inv, Max2, Sum

Match = dict[Basic, Basic]


class Fact(NamedTuple):
    """For all vs: `difference` is positive, non-negative or non-zero, by the formula `source`."""

    vs: frozenset[Basic]
    difference: Basic
    says: str
    source: Basic


def match(pattern: Basic, t: Basic, vs: frozenset[Basic], m: Match) -> Match | None:
    """One-way matching: values for the variables vs that turn the pattern into t, or None.

    A value never mentions a variable that is bound around it, so it can be used outside.
    """
    if pattern in vs:
        if pattern in m:
            return m if m[pattern] == t else None
        if B.loose(t) or not K.fits(t, pattern.sort):
            return None
        return {**m, pattern: t}
    if B.variables(pattern).isdisjoint(vs):
        return m if pattern == t else None
    if pattern.func != t.func or len(pattern.args) != len(t.args) or not pattern.args:
        return None
    orders: Iterable[tuple[Basic, ...]] = [t.args]
    if isinstance(pattern, (Add, Mul, Delta, Max2)) and len(t.args) < 5:
        orders = permutations(t.args)
    for order in orders:
        found: Match | None = m
        for x, y in zip(pattern.args, order, strict=True):
            found = match(x, y, vs, found) if found is not None else None
        if found is not None:
            return found
    return None


class Signs:
    """What is known about signs; `primitive` normalises a term up to a positive factor."""

    def __init__(self, facts: Iterable[Basic], primitive: Callable[[Basic], Basic]) -> None:
        self.used: set[str] = set()
        self.cited: set[Basic] = set()
        self._primitive = primitive
        self._memo: dict[tuple[Basic, str], bool] = {}
        self._facts = [f for p in facts if (f := self._fact(p)) is not None]

    def _fact(self, p: Basic) -> Fact | None:
        vs, q = B.strip_all(p)
        says = {K.Lt: "positive", K.Le: "nonneg"}.get(type(q), "")
        if isinstance(q, K.Imp) and isinstance(q.args[0], K.Eq) and q.args[1] == K.Lt(0, 0):
            says, q = "nonzero", q.args[0]
        if not says:
            return None
        return Fact(frozenset(vs), self._primitive(q.args[1] - q.args[0]), says, p)

    def _known(self, t: Basic, *kinds: str) -> bool:
        if not any(f.says in kinds for f in self._facts):
            return False
        u = self._primitive(t)
        for f in self._facts:
            if f.says in kinds and match(f.difference, u, f.vs, {}) is not None:
                self.cited.add(f.source)
                return True
        return False

    def _ask(self, t: Basic, question: str, rule: Callable[[Basic], bool]) -> bool:
        found = self._memo.get((t, question))
        if found is None:
            self._memo[t, question] = False
            found = self._memo[t, question] = rule(t)
        return found

    def positive(self, t: Basic) -> bool:
        """Is 0 < t proved?"""
        return self._ask(t, "positive", self._positive)

    def nonneg(self, t: Basic) -> bool:
        """Is 0 <= t proved?"""
        return self._ask(t, "nonneg", self._nonneg)

    def nonzero(self, t: Basic) -> bool:
        """Is t != 0 proved?"""
        return self._ask(t, "nonzero", self._nonzero)

    def _positive(self, t: Basic) -> bool:
        if isinstance(t, Rational):
            return bool(t > 0)
        if isinstance(t, Exp):
            self.used.add("exponential_is_positive")
            return True
        if isinstance(t, Card) or self._known(t, "positive"):
            return True
        if isinstance(t, Mul):
            return all(map(self.positive, t.args)) or self._even_negatives(t, self.positive)
        if isinstance(t, Add):
            return all(map(self.nonneg, t.args)) and any(map(self.positive, t.args))
        if isinstance(t, Inv):
            return self.positive(t.args[0])
        if isinstance(t, Pow):
            return self.positive(t.base)
        if isinstance(t, Max2):
            return any(map(self.positive, t.args))
        return isinstance(t, Sum) and not isinstance(t.args[0], K.Range) and self.positive(_body(t))

    def _even_negatives(self, t: Mul, question: Callable[[Basic], bool]) -> bool:
        """(-x)(-y) with x and y of known sign."""
        bad = [x for x in t.args if not question(x)]
        return len(bad) == 2 and all(question(-x) for x in bad)

    def _nonneg(self, t: Basic) -> bool:
        if isinstance(t, Rational):
            return bool(t >= 0)
        if K.sort_of(t) == NAT or isinstance(t, Delta) or self.positive(t):
            return True
        if self._known(t, "nonneg"):
            return True
        if isinstance(t, Mul):
            return all(map(self.nonneg, t.args)) or self._even_negatives(t, self.nonneg)
        if isinstance(t, Add):
            return all(map(self.nonneg, t.args))
        if isinstance(t, Inv):
            return self.nonneg(t.args[0])
        if isinstance(t, Pow):
            even = bool(t.exp.is_Integer) and t.exp % 2 == 0
            return even or self.nonneg(t.base)
        if isinstance(t, Max2):
            return any(map(self.nonneg, t.args)) or t.args[0] == -t.args[1]
        return isinstance(t, Sum) and self.nonneg(_body(t))

    def _nonzero(self, t: Basic) -> bool:
        if self._known(t, "nonzero") or self.positive(t) or self.positive(-t):
            return True
        if isinstance(t, Mul):
            return all(map(self.nonzero, t.args))
        return isinstance(t, (Inv, Pow)) and self.nonzero(t.args[0])


def _body(t: Sum) -> Basic:
    return B.open_body(t.args[1], B.fresh(K.member_sort(t.args[0])))
