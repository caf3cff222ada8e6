"""A batch of finite models: sizes for the sets, tables and smooth functions for the symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from sympy import Basic
from torch import Tensor

from derivations.kernel import terms as K
from numerics.bridge import Evaluator
from numerics.instances import rules, sampling
from numerics.instances.draws import Dice
from numerics.instances.shapes import (
    Bound,
    Definition,
    FixedPoint,
    LimitOf,
    Plan,
    Projection,
    Recursion,
    Sample,
    Slope,
    Symbol,
    Weight,
    Witness,
)
from numerics.judgement import judge
from numerics.tables import DTYPE, Value, as_real, gather, shorter

COMPUTED = {
    Definition: rules.definition,
    FixedPoint: rules.fixed_point,
    Recursion: rules.recursion,
    Slope: rules.slope,
    LimitOf: rules.limit,
    Witness: rules.witness,
    Sample: sampling.sample,
    Weight: sampling.weight,
}
REALS = (-1.3, 0.0, 0.45, 0.55, 1.0, 2.3, 4.0)


@dataclass(eq=False)
class Model:
    """Models of one size that differ in their numbers; satisfies `bridge.Symbols`."""

    plan: Plan
    dice: Dice
    sizes: Mapping[str, int]
    horizon: int
    longest: int
    naturals: int = 3
    fixed: dict[Symbol, Tensor] = field(default_factory=dict)

    @property
    def width(self) -> int:
        return len(self.dice.styles)

    def extent(self, sort: Basic) -> int:
        """How many members the tables hold: naturals to the horizon, words to the longest."""
        if isinstance(sort, K.Prod):
            return self.extent(sort.args[0]) * self.extent(sort.args[1])
        if isinstance(sort, K.WordsOf):
            return shorter(self.extent(sort.args[0]), self.longest + 1)
        if sort == K.NAT:
            return self.horizon + 2
        return self.sizes.get(sort.args[0].name, self.sizes["*"])  # type: ignore[attr-defined]

    def sampled(self, sort: Basic) -> Tensor:
        """Where a universal formula is judged; one less than the tables hold."""
        if sort == K.REAL:
            return torch.tensor(REALS, dtype=DTYPE)
        if sort == K.NAT:
            return torch.arange(self.naturals + 1)
        if isinstance(sort, K.WordsOf):
            return torch.arange(shorter(self.extent(sort.args[0]), max(self.longest - 1, 1)))
        return torch.arange(self.extent(sort))

    def apply(self, symbol: Basic, args: Sequence[Value], ev: Evaluator) -> Value:
        """The value of a symbol: a trial value, an equation used in place, or its table."""
        if symbol in ev.trial:
            return ev.trial[symbol].value(symbol, args, ev)
        rule = self.plan.rules.get(symbol)
        domain = symbol.domain if isinstance(symbol, K.Fn) else ()
        if isinstance(rule, Definition) and domain:
            assert isinstance(symbol, K.Fn)
            if not rules.free_of_reals(symbol) or rules.has_unbounded(symbol):
                return ev.value(rule.value, rules.scope_for(rule, args, ev))
        reals = [a for a, s in zip(args, domain, strict=True) if s == K.REAL]
        indices = [a for a, s in zip(args, domain, strict=True) if s != K.REAL]
        table = self.table(symbol, rule, [as_real(r) for r in reals], ev)
        return gather(table, indices, rules.context([as_real(r) for r in reals]))

    def table(self, symbol: Basic, rule: Any, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
        """All values of a symbol at some real arguments, computed once."""
        key = (symbol, *map(id, reals))
        if key not in ev.tables:
            if symbol in self.fixed:
                made = self.fixed[symbol]
            elif isinstance(rule, Projection):
                made = rules.projection(rule, self._free(symbol, reals, ev), ev)
            elif rule is not None:
                made = COMPUTED[type(rule)](rule, reals, ev)
            else:
                made = self._free(symbol, reals, ev)
            codomain = symbol.codomain if isinstance(symbol, K.Fn) else K.REAL
            ev.tables[key] = (as_real(made) if codomain == K.REAL else made, reals)
        return ev.tables[key][0]

    # -------------------------------------------------------------- symbols without a definition

    def _free(self, symbol: Basic, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
        domain = symbol.domain if isinstance(symbol, K.Fn) else ()
        sizes = [self.extent(s) for s in domain if s != K.REAL]
        name = symbol.name if isinstance(symbol, K.Fn) else str(symbol.tag)  # type: ignore
        if isinstance(symbol, K.Fn) and symbol.codomain != K.REAL:
            n = 4 if symbol.codomain == K.NAT else self.extent(symbol.codomain)
            return self.dice.members(name, sizes, n)
        raw = self._raw(symbol, name, sizes, reals)
        out = self._bounded(symbol, name, raw, sizes, reals, ev)
        for case in self.plan.cases.get(symbol, ()):
            holds, value = self._case(case, reals, ev)
            out = torch.where(holds, value, out)
        return out

    def _raw(
        self, symbol: Basic, name: str, sizes: Sequence[int], reals: Sequence[Tensor]
    ) -> Tensor:
        """Raw values: smooth in the real arguments, settling down along naturals."""
        kind = repr(symbol.args[1:]) if isinstance(symbol, K.Fn) else "real"
        depth = rules.context(reals)

        def draw(label: str) -> Tensor:
            x = self.dice.normal(name + label, kind + label, sizes)
            return x.reshape((*sizes, *([1] * (depth - 1)), self.width))

        out = draw("")
        for k, r in enumerate(reals):
            out = out + 0.4 * draw(f"a{k}") * r + 0.4 * draw(f"b{k}") * torch.sin(r + draw(f"c{k}"))
        domain = symbol.domain if isinstance(symbol, K.Fn) else ()
        places = [i for i, s in enumerate([s for s in domain if s != K.REAL]) if s == K.NAT]
        for i in places if self.horizon > 20 else ():
            n = torch.arange(sizes[i], dtype=DTYPE).reshape((-1, *([1] * (out.ndim - 1 - i))))
            fading = self.dice.column(name, "sparse", "twins", "mild")
            settled = torch.where(fading, 0.0, out.narrow(i, 0, 1))
            out = settled + (out - settled) * 0.5**n
        return out

    def _limits(
        self, symbol: Basic, reals: Sequence[Tensor], ev: Evaluator
    ) -> dict[bool, tuple[Tensor, Tensor]]:
        """The bounds from below (False) and above (True), and where they are strict."""
        out: dict[bool, tuple[Tensor, Tensor]] = {}
        for b in self.plan.bounds.get(symbol, ()):
            value = self._bound(b, reals, ev)
            strict = torch.full(value.shape, b.strict)
            if b.upper in out:
                old, was = out[b.upper]
                wins = value <= old if b.upper else value >= old
                value, strict = torch.where(wins, value, old), torch.where(wins, strict, was)
            out[b.upper] = value, strict
        return out

    def _bound(self, b: Bound, reals: Sequence[Tensor], ev: Evaluator) -> Tensor:
        depth = rules.context(reals)
        extra = [v for v in b.vars if v not in b.params]
        env: dict[Any, Value] = {}
        at = depth
        for v in b.params:
            if v.sort != K.REAL:
                at += 1
        inner, sc, sizes = rules.spread(b.params, reals, ev, depth)
        for v in extra:
            values = self.sampled(v.sort)
            env[v] = values.reshape((-1, *([1] * at)))
            at += 1
        x = ev.real(b.value, type(sc)(at, (), {**inner, **env}))
        while x.ndim > sc.depth:
            x = x.amin(0) if b.upper else x.amax(0)
        return rules.filled(x, sizes, reals, ev)

    def _case(
        self, case: Definition, reals: Sequence[Tensor], ev: Evaluator
    ) -> tuple[Tensor, Tensor]:
        _, sc, sizes = rules.spread(case.params, reals, ev, rules.context(reals))
        holds = torch.tensor(True)
        for p in case.ifs:
            holds = holds & judge(p, ev, sc).holds
        return rules.filled(holds, sizes, reals, ev), ev.real(case.value, sc)

    def _bounded(
        self,
        symbol: Basic,
        name: str,
        raw: Tensor,
        sizes: Sequence[int],
        reals: Sequence[Tensor],
        ev: Evaluator,
    ) -> Tensor:
        limits = self._limits(symbol, reals, ev)
        total = self.plan.totals.get(symbol)
        over = self._places(total.params, total.over) if total else []
        spare = self.dice.zeros(name, sizes, over)
        spare = spare.reshape((*sizes, *([1] * (rules.context(reals) - 1)), self.width))
        low, high = limits.get(False), limits.get(True)
        out = _between(self.dice, name, raw, low, high, spare, bool(total))
        if total is None:
            return out
        for case in self.plan.cases.get(symbol, ()):
            holds, value = self._case(case, reals, ev)
            out = torch.where(holds, value, out)
        env, sc, _ = rules.spread(total.params, reals, ev, rules.context(reals))
        kept = {v: (0 if v in total.over else x) for v, x in env.items()}
        wanted = ev.real(total.value, type(sc)(sc.depth, (), kept))
        have = out
        for axis in over:
            have = have.sum(axis, keepdim=True)
        count = 1
        for axis in over:
            count *= sizes[axis]
        return out * wanted / have if low is not None else out + (wanted - have) / count

    def _places(self, params: Sequence[Any], over: Sequence[Any]) -> list[int]:
        indices = [v for v in params if v.sort != K.REAL]
        return [i for i, v in enumerate(indices) if v in over]


def _between(
    dice: Dice,
    name: str,
    raw: Tensor,
    low: tuple[Tensor, Tensor] | None,
    high: tuple[Tensor, Tensor] | None,
    spare: Tensor,
    shared: bool,
) -> Tensor:
    """Values that respect the bounds; at a bound that may be met, some of them meet it."""
    if low is None and high is None:
        return raw
    ends = (
        torch.zeros_like(spare)
        if shared
        else dice.column(name, "edge", "zero") & torch.ones_like(spare)
    )
    positive = dice.positive(name, raw) if raw.shape[-1] == len(dice.styles) else torch.exp(raw)
    if low is not None and high is not None:
        (bottom, strict), (top, above) = low, high
        out = bottom + (top - bottom) * dice.part(name, raw)
        out = torch.where((ends | spare) & ~strict, bottom, out)
        return torch.where(ends & strict & ~above, top, out)
    bound, strict = low if low is not None else high  # type: ignore[misc]
    out = bound + positive if low is not None else bound - positive
    return torch.where((ends | spare) & ~strict, bound, out)
