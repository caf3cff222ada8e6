"""Random kernel terms and formulas, small and full of coincidences: few names, many zeros."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from sympy import Basic, Integer, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Fin, Fn, Prod, Range, Var, Words, WordsOf

X, Y = Fin("X"), Fin("Y")
XY = Prod(X, Y)
SORTS = [X, X, Y, XY, WordsOf(X)]
NAMES = {REAL: "xyz", NAT: "nm", X: "ab", Y: "c", XY: "p", WordsOf(X): "w"}
NUMBERS = [Integer(k) for k in (-2, -1, 0, 1, 1, 2)] + [Rational(1, 2), Rational(-2, 3)]


class Source:
    """Terms over a few names; `scope` holds the variables of the binders around."""

    def __init__(self, rng: Random, heads: Sequence[str] = ()) -> None:
        self.rng = rng
        self.count = 0
        self.heads = [*heads] or self.every()

    @classmethod
    def every(cls) -> list[str]:
        """The names of the heads that `real` can build."""
        return sorted(n[6:] for n in vars(cls) if n.startswith("_real_"))

    def variable(self, sort: Basic, scope: Sequence[Var]) -> Var:
        own = [Var(n, sort) for n in NAMES.get(sort, "q")]
        return self.rng.choice(own + 2 * [v for v in scope if v.sort == sort])

    def fresh(self, sort: Basic) -> Var:
        """Half of the time a name that also occurs free: binders must not care."""
        self.count += 1
        names = [*NAMES.get(sort, "q"), f"i{self.count}"]
        return Var(self.rng.choice(names), sort)

    def index(self, sort: Basic, depth: int, scope: Sequence[Var]) -> Any:
        if sort == NAT:
            return self.natural(depth, scope)
        if depth > 0 and self.rng.random() < 0.4:
            if isinstance(sort, Prod):
                return K.Pair(*(self.index(s, depth - 1, scope) for s in sort.args))
            if isinstance(sort, WordsOf):
                if self.rng.random() < 0.3:
                    return K.Nil(sort.args[0])
                word = self.index(sort, depth - 1, scope)
                return K.Snoc(word, self.index(sort.args[0], depth - 1, scope))
            return Fn("h", sort, sort)(self.index(sort, depth - 1, scope))
        return self.variable(sort, scope)

    def natural(self, depth: int, scope: Sequence[Var]) -> Any:
        n = self.variable(NAT, scope)
        some = self.rng.choice([n, n, Integer(0), Integer(1), Integer(2)])
        if depth <= 0 or self.rng.random() < 0.5:
            return some
        other = self.natural(depth - 1, scope)
        return self.rng.choice([n + other, some * other, n + 1])

    def finite(self, depth: int, scope: Sequence[Var]) -> Basic:
        n = self.natural(depth - 1, scope)
        return self.rng.choice([X, X, Y, XY, Range(n), Range(n), Words(X, n)])

    def real(self, depth: int, scope: Sequence[Var] = ()) -> Any:
        if depth <= 0:
            return self.leaf(scope)
        head = self.rng.choice(self.heads)
        return getattr(self, "_real_" + head)(depth - 1, scope)

    def leaf(self, scope: Sequence[Var]) -> Any:
        kind = self.rng.randrange(5)
        if kind == 0:
            return self.rng.choice(NUMBERS)
        if kind == 1:
            return self.variable(REAL, scope)
        if kind == 2:
            return self.variable(NAT, scope)
        sort = self.rng.choice([s.sort for s in scope] or SORTS)
        return Fn(self.rng.choice("fg"), REAL, sort)(self.index(sort, 1, scope))

    def _real_add(self, d: int, s: Sequence[Var]) -> Any:
        return self.real(d, s) + self.real(d, s)

    def _real_subtract(self, d: int, s: Sequence[Var]) -> Any:
        return self.real(d, s) - self.real(d, s)

    def _real_multiply(self, d: int, s: Sequence[Var]) -> Any:
        return self.real(d, s) * self.real(d, s)

    def _real_scale(self, d: int, s: Sequence[Var]) -> Any:
        t = self.real(d, s)
        return t * K.Inv(t) if self.rng.random() < 0.3 else t * K.Inv(self.real(d, s))

    def _real_power(self, d: int, s: Sequence[Var]) -> Any:
        return self.real(d, s) ** self.natural(1, s)

    def _real_inv(self, d: int, s: Sequence[Var]) -> Any:
        return K.Inv(self.real(d, s))

    def _real_exp(self, d: int, s: Sequence[Var]) -> Any:
        return K.Exp(self.real(d, s))

    def _real_log(self, d: int, s: Sequence[Var]) -> Any:
        return K.Log(self.real(d, s))

    def _real_max2(self, d: int, s: Sequence[Var]) -> Any:
        return K.Max2(self.real(d, s), self.real(d, s))

    def _real_delta(self, d: int, s: Sequence[Var]) -> Any:
        sort = self.rng.choice([v.sort for v in s if v.sort != REAL] or [*SORTS, NAT])
        return K.Delta(self.index(sort, 1, s), self.index(sort, 1, s)) * self.real(d, s)

    def _real_card(self, d: int, s: Sequence[Var]) -> Any:
        return K.Card(self.rng.choice([X, Y, XY]))

    def _real_sum(self, d: int, s: Sequence[Var]) -> Any:
        over = self.finite(1, s)
        v = self.fresh(K.member_sort(over))
        return B.bind_sum(self.real(d, [*s, v]), v, over)

    def _real_max(self, d: int, s: Sequence[Var]) -> Any:
        v = self.fresh(self.rng.choice([X, Y, XY]))
        return K.Max(v.sort, B.close_body(v, self.real(d, [*s, v])))

    def relation(self, depth: int, scope: Sequence[Var] = ()) -> Any:
        head = self.rng.choice([K.Eq, K.Le, K.Lt])
        return head(self.real(depth, scope), self.real(depth, scope))

    def fact(self, depth: int) -> Any:
        """A sign fact, sometimes for all values of a variable."""
        t = self.real(depth)
        p = self.rng.choice([K.Lt(0, t), K.Le(0, t), K.Lt(t, 0), K.Imp(K.Eq(t, 0), K.Lt(0, 0))])
        free = sorted((v for v in B.variables(t) if v.sort != REAL), key=str)
        return B.for_all(free[:1], p) if free and self.rng.random() < 0.5 else p
