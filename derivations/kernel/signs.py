"""Signs: 0 < t, 0 <= t and t != 0, from proved formulas and a few structural rules.

A fact  for all vs: l < r  answers for every instance of r - l, up to a positive rational factor.
"""

from collections.abc import Iterable, Mapping
from functools import cache, partial
from itertools import permutations
from typing import Any, NamedTuple

from sympy import Add, Mul, Pow, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Term

POSITIVE, NONNEG, NONZERO = "positive", "nonneg", "nonzero"


class Fact(NamedTuple):
    """For all vs: `difference` has the sign `says`, by the formula `source` and these axioms."""

    vs: frozenset[Term]
    difference: Term
    says: str
    source: Term
    axioms: frozenset[str]


def match(pattern: Term, t: Term, vs: frozenset[Any], m: Mapping[Any, Term]) -> Any:
    """One-way matching: values for the variables vs that turn the pattern into t, or None.

    A value never mentions a variable that is bound around it, so it can be used outside.
    """
    if pattern in vs:
        fits = not B.loose(t) and K.fits(t, pattern.sort) and m.get(pattern, t) == t
        return {**m, pattern: t} if fits else None
    if B.variables(pattern).isdisjoint(vs):
        return m if pattern == t else None
    if pattern.func != t.func or len(pattern.args) != len(t.args):
        return None
    unordered = isinstance(pattern, (Add, Mul, K.Delta, K.Max2)) and len(t.args) < 5
    for order in permutations(t.args) if unordered else [t.args]:
        found: Any = m
        for x, y in zip(pattern.args, order, strict=True):
            found = match(x, y, vs, found) if found is not None else None
        if found is not None:
            return found
    return None


@cache
def _fact(p: Term, primitive: Any) -> Fact | None:
    """What a formula says about signs; it depends on the formula only, so it is worked out once."""
    vs, q = B.strip_all(p)
    says = POSITIVE if isinstance(q, K.Lt) else NONNEG if isinstance(q, K.Le) else ""
    if isinstance(q, K.Imp) and isinstance(q.args[0], K.Eq) and q.args[1] == K.Lt(0, 0):
        says, q = NONZERO, q.args[0]
    if not says:
        return None
    sides: Any = q.args
    difference, axioms = primitive(sides[1] - sides[0])
    return Fact(frozenset(vs), difference, says, p, axioms)


class Signs:
    """What is known about signs; `primitive` normalises a term up to a positive factor and tells
    which axioms that took.  `used` collects axioms, `cited` the facts that were needed."""

    def __init__(self, facts: Iterable[Term], primitive: Any) -> None:
        self.used: set[str] = set()
        self.cited: set[Term] = set()
        self._primitive = primitive
        self._memo: dict[tuple[Term, str], bool] = {}
        self._facts = [f for p in facts if (f := _fact(p, primitive)) is not None]
        # Is 0 < t, 0 <= t, t != 0 proved?
        self.positive = partial(self._holds, sign=POSITIVE)
        self.nonneg = partial(self._holds, sign=NONNEG)
        self.nonzero = partial(self._holds, sign=NONZERO)

    def _holds(self, t: Term, sign: str) -> bool:
        if (t, sign) not in self._memo:
            self._memo[t, sign] = False
            rule = {POSITIVE: self._positive, NONNEG: self._nonneg, NONZERO: self._nonzero}[sign]
            self._memo[t, sign] = rule(t) or self._stated(t, sign)
        return self._memo[t, sign]

    def _stated(self, t: Term, sign: str) -> bool:
        facts = [f for f in self._facts if f.says == sign]
        for u in [t, -t][: 1 + (sign == NONZERO)] if facts else []:
            primitive, axioms = self._primitive(u)
            for f in facts:
                if match(f.difference, primitive, f.vs, {}) is not None:
                    self.cited.add(f.source)
                    self.used.update(axioms | f.axioms)
                    return True
        return False

    def _positive(self, t: Term) -> bool:
        if isinstance(t, K.Exp):
            self.used.add("exponential_is_positive")
        if isinstance(t, Add):
            return all(map(self.nonneg, t.args)) and any(map(self.positive, t.args))
        number = isinstance(t, Rational) and bool(t > 0)
        return number or isinstance(t, (K.Exp, K.Card)) or self._built(t, POSITIVE)

    def _nonneg(self, t: Term) -> bool:
        if K.sort_of(t) == K.NAT or isinstance(t, K.Delta) or self.positive(t):
            return True
        if isinstance(t, Pow) and t.exp.is_Integer and t.exp % 2 == 0:
            return True
        if isinstance(t, Add):
            return all(map(self.nonneg, t.args))
        ends: Any = t.args
        return (type(t) is K.Max2 and ends[0] + ends[1] == 0) or self._built(t, NONNEG)

    def _nonzero(self, t: Term) -> bool:
        bases = t.args if isinstance(t, Mul) else t.args[:1]
        if isinstance(t, (Mul, K.Inv, Pow)) and all(map(self.nonzero, bases)):
            return True
        return self.positive(t) or self.positive(-t)

    def _built(self, t: Term, sign: str) -> bool:
        """The sign of a product, reciprocal, power, maximum or finite sum from its parts."""
        if isinstance(t, Mul):
            bad = [x for x in t.args if not self._holds(x, sign)]
            return not bad or (len(bad) == 2 and all(self._holds(-x, sign) for x in bad))
        if isinstance(t, (K.Inv, Pow)):
            return self._holds(t.args[0], sign)
        if isinstance(t, K.Max2):
            return any(self._holds(x, sign) for x in t.args)
        if isinstance(t, K.Sum) and (sign == NONNEG or not isinstance(t.args[0], K.Range)):
            return self._holds(B.opened(t, B.fresh(B.scope_sort(t))), sign)
        return False
