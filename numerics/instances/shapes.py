"""What a hypothesis can do for a symbol: define it, bound it, fix its total.

A definition is an equation, a recursion, a linear fixed point, a derivative or a limit.  `reading`
makes a plan of these from formulas; `model` computes what the plan says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Var

Symbol = Basic  # a function symbol or a free real variable


@dataclass(frozen=True)
class Clause:
    """A formula without its quantifiers: for all vars, ifs -> core."""

    vars: tuple[Var, ...]
    ifs: tuple[Basic, ...]
    core: Basic


@dataclass(frozen=True)
class Definition:
    """symbol(params) = value; with `ifs`, only where they hold."""

    symbol: Symbol
    params: tuple[Var, ...]
    value: Basic
    ifs: tuple[Basic, ...] = ()


@dataclass(frozen=True)
class FixedPoint:
    """symbol(params) = value, where the value is affine in the symbol."""

    symbol: Symbol
    params: tuple[Var, ...]
    value: Basic


@dataclass(frozen=True)
class Recursion:
    """symbol at 0 or the empty word, and at n + 1 or the word w v; `place` is that argument."""

    symbol: Symbol
    place: int
    base: tuple[tuple[Var | None, ...], Basic]
    grow: tuple[tuple[Var | None, ...], Var, Basic | None, Basic]  # params, n or w, letter, value


@dataclass(frozen=True)
class Slope:
    """symbol(params) is the derivative in a HasD formula."""

    symbol: Symbol
    params: tuple[Var, ...]
    formula: Basic


@dataclass(frozen=True)
class LimitOf:
    """symbol(params) is the limit in a Lim formula."""

    symbol: Symbol
    params: tuple[Var, ...]
    formula: Basic


@dataclass(frozen=True)
class Projection:
    """symbol is the nearest solution, to a random one, of equations that are affine in it."""

    symbol: Symbol
    equations: tuple[Clause, ...]


@dataclass(frozen=True)
class Witness:
    """symbol(params) is the first index for which the formula holds of `chosen`."""

    symbol: Symbol
    params: tuple[Var, ...]
    chosen: Var
    formula: Basic


@dataclass(frozen=True)
class Sample:
    """symbol(i.., o) is a letter of o; the outcomes o in `space` are all tuples of letters."""

    symbol: Symbol
    space: K.Fin


@dataclass(frozen=True)
class Weight:
    """symbol(o) is the product of mass(letter) over the letters of the outcome o."""

    symbol: Symbol
    letters: Sample
    mass: Symbol


Rule = (
    Definition | FixedPoint | Recursion | Slope | LimitOf | Projection | Witness | Sample | Weight
)


@dataclass(frozen=True)
class Bound:
    """symbol(params) is at least (or at most, with upper) the value, for all of `vars`."""

    symbol: Symbol
    params: tuple[Var, ...]
    value: Basic
    strict: bool
    upper: bool
    vars: tuple[Var, ...]


@dataclass(frozen=True)
class Total:
    """The sum of symbol(params) over the params `over` is the value."""

    symbol: Symbol
    params: tuple[Var, ...]
    over: tuple[Var, ...]
    value: Basic


@dataclass
class Plan:
    """How to compute a model: a rule for a defined symbol; bounds, totals, cases for the others."""

    rules: dict[Symbol, Rule] = field(default_factory=dict)
    bounds: dict[Symbol, list[Bound]] = field(default_factory=dict)
    totals: dict[Symbol, Total] = field(default_factory=dict)
    cases: dict[Symbol, list[Definition]] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    needs: dict[Symbol, set[Symbol]] = field(default_factory=dict)

    def reaches(self, start: Symbol, goal: Symbol) -> bool:
        """Does computing `start` need `goal`?"""
        seen, stack = set(), [start]
        while stack:
            s = stack.pop()
            if s == goal:
                return True
            if s not in seen:
                seen.add(s)
                stack += self.needs.get(s, ())
        return False

    def may_define(self, symbol: Symbol, parts: Sequence[Basic], itself: bool = False) -> bool:
        """Nothing defines it yet, and the parts can be computed before it."""
        if symbol in self.rules:
            return False
        needed = symbols_in(parts)
        return all(
            itself if n == symbol else self._grows(n, symbol) or not self.reaches(n, symbol)
            for n in needed
        )

    def _grows(self, needed: Symbol, symbol: Symbol) -> bool:
        """A recursion that asks `symbol` for earlier values only: no circle, row by row."""
        along = isinstance(symbol, K.Fn) and any(
            s == K.NAT or isinstance(s, K.WordsOf) for s in symbol.domain
        )
        return along and isinstance(self.rules.get(needed), Recursion)

    def note(self, symbol: Symbol, parts: Sequence[Basic]) -> None:
        """Record what the symbol now depends on."""
        self.needs.setdefault(symbol, set()).update(symbols_in(parts) - {symbol})

    def define(self, rule: Rule, parts: Sequence[Basic]) -> bool:
        """Take the rule when it makes no circle."""
        itself = isinstance(rule, (FixedPoint, Recursion, Projection))
        if not self.may_define(rule.symbol, parts, itself):
            return False
        self.rules[rule.symbol] = rule
        self.note(rule.symbol, parts)
        return True


def symbols_in(parts: Sequence[Basic]) -> set[Symbol]:
    """Function symbols and free real variables."""
    return {f for p in parts for f in _symbols_of(p)}


@lru_cache(8192)
def _symbols_of(p: Basic) -> frozenset[Symbol]:
    functions = {t for t in B.subterms(p) if isinstance(t, K.Fn)}
    free = {v for v in B.variables(p) if isinstance(v, Var) and isinstance(v.tag, str)}
    return frozenset(functions | free)


def clauses(p: Basic) -> Clause:
    """Open quantifiers and antecedents, in whatever order they come."""
    vs: list[Var] = []
    ifs: list[Basic] = []
    while isinstance(p, (K.All, K.Imp)):
        if isinstance(p, K.All):
            vs.append(B.fresh(p.args[0]))
            p = B.open_body(p.args[1], vs[-1])
        else:
            ifs.append(p.args[0])
            p = p.args[1]
    return Clause(tuple(vs), tuple(ifs), p)
