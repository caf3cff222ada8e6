"""Kernel terms evaluated on finite models, independently of the kernel's own rules.

Reals are exact fractions until exp or log makes them floats.  A formula is true, false, or `None`
when the model cannot tell: a quantifier over an infinite sort with no counterexample among the
samples, a limit, two floats too close to order.  Inv(0) = 0, and off the positive reals log takes
values of the model's own: a rule that depends on them is unsound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from sympy import Add, Basic, Mul, Pow, Rational

from derivations.kernel import terms as K

Truth = bool | None
CHOICES = [Fraction(x) for x in ("-2", "-1", "-1/2", "0", "0", "1/3", "1", "2", "3")]
POINTS = [Fraction(x) for x in ("-1", "-1/2", "0", "1/2", "1", "2")]
LONGEST, LARGEST, TERMS = 2, 3, 60  # words, naturals and terms of a series that are looked at
CLOSE = 1e-7


class Unknown(Exception):
    """The model cannot say: overflow, or a series that does not settle."""


@dataclass(frozen=True)
class Word:
    """A word over a finite set."""

    letters: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Model:
    """Values of all symbols, drawn from a seed; `values` fixes some of them."""

    seed: int
    values: dict[Basic, Any] = field(default_factory=dict)
    exp: Callable[[float], Any] = math.exp
    largest: int = 3

    def draw(self, *what: object) -> Random:
        return Random(f"{self.seed}|{what}")

    def size(self, X: Any) -> int:
        if X in self.values:
            return self.values[X]
        return self.draw("size", X.args[0].name).randint(1, self.largest)

    def any_of(self, sort: Basic, rng: Random) -> Any:
        """Some member of a sort."""
        if sort == K.REAL:
            return rng.choice(CHOICES)
        if sort == K.NAT:
            return Fraction(rng.choice([0, 0, 1, 1, 2, 3]))
        if isinstance(sort, K.WordsOf):
            return Word(tuple(self.any_of(sort.args[0], rng) for _ in range(rng.choice([0, 1, 2]))))
        return rng.choice(self.members(sort, []))

    def members(self, X: Any, env: Sequence[Any]) -> list[Any]:
        """All members of a finite set."""
        if isinstance(X, K.Prod):
            return [*product(*(self.members(Y, env) for Y in X.args))]
        if isinstance(X, K.Range):
            return [Fraction(i) for i in range(int(self.value(X.args[0], env)))]
        if isinstance(X, K.Words):
            n = int(self.value(X.args[1], env))
            return [Word(w) for w in product(self.members(X.args[0], env), repeat=n)]
        return [(X.args[0].name, i) for i in range(self.size(X))]

    def samples(self, sort: Basic) -> list[Any]:
        """All members of a finite sort, some of an infinite one."""
        if sort == K.REAL:
            return POINTS
        if sort == K.NAT:
            return [Fraction(i) for i in range(LARGEST + 1)]
        if isinstance(sort, K.WordsOf):
            letters = self.members(sort.args[0], [])
            return [Word(w) for n in range(LONGEST + 1) for w in product(letters, repeat=n)]
        return self.members(sort, [])

    # -- terms

    def value(self, e: Any, env: Sequence[Any] = ()) -> Any:
        """The value of a term; env holds the bound variables, innermost last."""
        if isinstance(e, Rational):
            return Fraction(int(e.p), int(e.q))
        if isinstance(e, K.Bound):
            return env[-1 - e.tag]
        if isinstance(e, K.Var):
            return self.values.get(e) if e in self.values else self._variable(e)
        return getattr(self, "_" + type(e).__name__)(e, env)

    def _variable(self, e: K.Var) -> Any:
        return self.any_of(e.sort, self.draw("var", e.tag, str(e.sort)))

    def _of(self, e: Basic, env: Sequence[Any]) -> list[Any]:
        return [self.value(x, env) for x in e.args]

    def _Add(self, e: Add, env: Sequence[Any]) -> Any:
        return sum(self._of(e, env))

    def _Mul(self, e: Mul, env: Sequence[Any]) -> Any:
        return math.prod(self._of(e, env))

    def _Pow(self, e: Pow, env: Sequence[Any]) -> Any:
        base, n = self._of(e, env)
        return _finite(base ** int(n))

    def _Inv(self, e: K.Inv, env: Sequence[Any]) -> Any:
        (x,) = self._of(e, env)
        if isinstance(x, float) and abs(x) < CLOSE:
            raise Unknown("a reciprocal of rounding")
        return 1 / x if x else Fraction(0)

    def _Exp(self, e: K.Exp, env: Sequence[Any]) -> Any:
        (x,) = self._of(e, env)
        return _finite(self.exp(x)) if abs(x) < 30 else _unknown()

    def _Log(self, e: K.Log, env: Sequence[Any]) -> Any:
        (x,) = self._of(e, env)
        if isinstance(x, float) and abs(x) < CLOSE:
            raise Unknown("a logarithm of rounding")
        return math.log(x) if x > 0 else self.draw("log", round(float(x), 6)).choice(CHOICES)

    def _Max2(self, e: K.Max2, env: Sequence[Any]) -> Any:
        return max(self._of(e, env))

    def _Delta(self, e: K.Delta, env: Sequence[Any]) -> Any:
        x, y = self._of(e, env)
        return Fraction(int(x == y))

    def _Card(self, e: K.Card, env: Sequence[Any]) -> Any:
        return Fraction(len(self.members(e.args[0], env)))

    def _each(self, e: Basic, env: Sequence[Any]) -> list[Any]:
        return [self.value(e.args[1], [*env, x]) for x in self.members(e.args[0], env)]

    def _Sum(self, e: K.Sum, env: Sequence[Any]) -> Any:
        return sum(self._each(e, env), Fraction(0))

    def _Max(self, e: K.Max, env: Sequence[Any]) -> Any:
        return max(self._each(e, env))

    def _Series(self, e: K.Series, env: Sequence[Any]) -> Any:
        terms = [float(self.value(e.args[0], [*env, Fraction(i)])) for i in range(TERMS)]
        return sum(terms) if max(map(abs, terms[-10:])) < 1e-9 else _unknown()

    def _Nil(self, e: K.Nil, env: Sequence[Any]) -> Word:
        return Word()

    def _Snoc(self, e: K.Snoc, env: Sequence[Any]) -> Word:
        w, x = self._of(e, env)
        return Word((*w.letters, x))

    def _Pair(self, e: K.Pair, env: Sequence[Any]) -> tuple[Any, Any]:
        x, y = self._of(e, env)
        return (x, y)

    def _App(self, e: K.App, env: Sequence[Any]) -> Any:
        args = [self.value(x, env) for x in e.args[1:]]
        if e.fn in self.values:
            return self.values[e.fn](*args)
        # Adding 0.0 makes one number of -0.0 and 0.0: equal arguments have equal values.
        rounded = [a if _index(a) else round(float(a), 6) + 0.0 for a in args]
        rng = self.draw("fn", e.fn.name, str(e.fn), rounded)
        return self.any_of(e.fn.codomain, rng)

    # -- formulas

    def holds(self, p: Basic, env: Sequence[Any] = ()) -> Truth:
        """True, false, or None when this model cannot tell."""
        try:
            return getattr(self, "_" + type(p).__name__)(p, env)
        except (Unknown, OverflowError):
            return None

    def _Eq(self, p: K.Eq, env: Sequence[Any]) -> Truth:
        return _equal(*self._of(p, env))

    def _Le(self, p: K.Le, env: Sequence[Any]) -> Truth:
        return _less(*self._of(p, env), equal=True)

    def _Lt(self, p: K.Lt, env: Sequence[Any]) -> Truth:
        return _less(*self._of(p, env), equal=False)

    def _Imp(self, p: K.Imp, env: Sequence[Any]) -> Truth:
        left, right = (self.holds(q, env) for q in p.args)
        if left is False or right is True:
            return True
        return False if left is True and right is False else None

    def _All(self, p: K.All, env: Sequence[Any]) -> Truth:
        found = [self.holds(p.args[1], [*env, x]) for x in self.samples(p.args[0])]
        if False in found:
            return False
        return True if self.complete(p.args[0]) and None not in found else None

    def complete(self, sort: Basic) -> bool:
        """Do the samples of a sort exhaust it?"""
        return sort not in (K.REAL, K.NAT) and not isinstance(sort, K.WordsOf)

    def _Lim(self, p: K.Lim, env: Sequence[Any]) -> Truth:
        """Evaluated closer and closer: false when it settles elsewhere, never proved."""
        at = _approach(p.args[0], lambda c: self.value(c, env))
        limit = float(self.value(p.args[2], env))
        gaps = [abs(float(self.value(p.args[1], [*env, x])) - limit) for x in at]
        return None if gaps[-1] < 0.02 * (1 + abs(limit)) else False

    def _HasD(self, p: K.HasD, env: Sequence[Any]) -> Truth:
        c, d = (float(self.value(x, env)) for x in p.args[1:])
        f = lambda x: float(self.value(p.args[0], [*env, x]))
        step = 1e-5 * (1 + abs(c))
        slope = (f(c + step) - f(c - step)) / (2 * step)
        return None if abs(slope - d) < 1e-3 * (1 + abs(d)) else False


def _approach(F: Basic, value: Callable[[Basic], Any]) -> list[Any]:
    """Points that move as the filter says."""
    if isinstance(F, K.Infinity):
        return [Fraction(n) for n in (25, 100, 400)]
    steps = [1e-1, 1e-2, 1e-4]
    if isinstance(F, K.Right):
        return steps
    c = float(value(F.args[0]))
    return [c + s for h in steps for s in (-h, h)]


def _index(x: Any) -> bool:
    return isinstance(x, (tuple, Word))


def _unknown() -> Any:
    raise Unknown


def _finite(x: Any) -> Any:
    return x if abs(x) < 1e12 else _unknown()


def _equal(x: Any, y: Any) -> Truth:
    if isinstance(x, float) or isinstance(y, float):
        gap = abs(x - y) / (1 + abs(x) + abs(y))
        return True if gap < 1e-9 else False if gap > CLOSE else None
    return x == y


def _less(x: Any, y: Any, equal: bool) -> Truth:
    if isinstance(x, float) or isinstance(y, float):
        gap = (y - x) / (1 + abs(x) + abs(y))
        return None if abs(gap) < CLOSE else gap > 0
    return x < y or (equal and x == y)


@dataclass(frozen=True)
class Sampled(Model):
    """A model whose naturals and words are the sampled ones only.  Induction must hold in it, as
    the samples contain every predecessor; instances at other naturals need not."""

    def complete(self, sort: Basic) -> bool:
        return sort != K.REAL


def refuted(hyps: Iterable[Basic], concl: Basic, models: Iterable[Model]) -> Model | None:
    """A model in which all the hypotheses are true and the conclusion is false."""
    for m in models:
        if m.holds(concl) is False and all(m.holds(h) is True for h in hyps):
            return m
    return None
