"""Terms for people: what `printing` writes between the relations of a formula.

The order of summands and factors is a person's: numbers, parameters, probabilities, values, sums;
what is subtracted comes last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Integer, Mul, Pow, Rational

from derivations.kernel import terms as K
from derivations.language.formats import Format
from derivations.language.naming import mentions, parameters, ranges_openly, stems
from derivations.language.notation import CONDITIONAL
from derivations.language.shape import (
    ATOM,
    FACTOR,
    PRODUCT,
    SUM,
    base_of,
    denominator,
    is_negative,
    is_operator,
    level_of,
    place_of_factor,
    without_sign,
)

Names = tuple[str, ...]
Term = Any  # a kernel term: SymPy's own types do not know its arithmetic


@dataclass(frozen=True)
class TermPrinter:
    """One output format, and the names of the free variables; `Printer` adds formulas."""

    f: Format
    free: Mapping[Basic, str]

    def formula(self, e: Term, bound: Names = ()) -> str:
        """A formula or a term under binders with these names, the innermost last."""
        if isinstance(e, K.Variable):
            return self._variable(e, bound)
        if isinstance(e, Rational):
            return self._rational(e)
        method = getattr(self, "_" + type(e).__name__, None)
        K.need(method is not None, "{} cannot be printed", type(e).__name__)
        return method(e, bound)  # pyright: ignore[reportOptionalCall]

    # -- names

    def _variable(self, e: K.Variable, bound: Names) -> str:
        if isinstance(e, K.Bound):
            return bound[-1 - e.tag] if e.tag < len(bound) else f"?{e.tag}"
        return self.free[e] if e in self.free else self.f.symbol(str(e.tag))

    def fresh(self, e: Term, bound: Names) -> str:
        """A name for the variable that e binds: the letter of its set, primed until unused."""
        point = e.args[1] if isinstance(e, K.HasD) else None
        if isinstance(point, K.Variable) and not mentions(e.args[0], point):
            name = self._variable(point, bound)
            if name[-1].isalpha() or name[-1] in "'′″‴":  # not at a fixed point such as θ₀
                return name
        taken = {*bound, *self.free.values()}
        return next(name for name in map(self.f.symbol, stems(e)) if name not in taken)

    # -- terms

    def wrapped(self, e: Term, bound: Names, level: int) -> str:
        """The text of e, in parentheses when it binds less tightly than the level."""
        inner = self.formula(e, bound)
        return self.f.paren.format(inner) if level_of(e) < level else inner

    def _rational(self, e: Term) -> str:
        number = self.f.number(abs(e.p), e.q)
        return self.f.minus + number if e.p < 0 else number

    def _Add(self, e: Term, bound: Names) -> str:
        out = ""
        order = sorted(e.args, key=lambda x: self._summand_key(x, bound))
        if K.sort_of(e) == K.NAT:  # 1 + x, but t + 1
            order.sort(key=lambda x: isinstance(x, Rational))
        for x in order:
            less = is_negative(x)
            body = self.wrapped(-x if less else x, bound, PRODUCT if less else SUM)
            sign = self.f.minus if less else "+"
            out = f"{out} {sign} {body}" if out else (sign if less else "") + body
        return out

    def _summand_key(self, x: Term, bound: Names) -> tuple[bool, bool, bool, int, str]:
        inner = self.formula(x, bound)
        number = isinstance(x, Rational)
        big = any(isinstance(y, (K.Sum, K.Series)) for y in Mul.make_args(x))
        return (is_negative(x), not number or is_negative(x), big, len(inner), inner)

    def _Mul(self, e: Term, bound: Names) -> str:
        c, rest = e.as_coeff_Mul()
        if c < 0:
            return self.f.minus + self.wrapped(-e, bound, PRODUCT)
        factors = Mul.make_args(rest)
        flags = [x.base for x in e.args if isinstance(x, Pow) and K.Inv(x.base) ** 2 in factors]
        if flags:
            return self._flagged(e, flags, bound)
        under = [denominator(x) for x in factors if isinstance(base_of(x), K.Inv)]
        over = [x for x in factors if not isinstance(base_of(x), K.Inv)]
        big = [x for x in over if is_operator(x)]
        small = [x for x in over if not is_operator(x)]
        if not under and c.q != 1 and len(over) > 1:
            front = self.f.number(c.p, c.q)
            front = front if len(front) == 1 or self.f.is_latex else self.f.paren.format(front)
            return front + self.f.times + self._product(over, bound)
        if not under and c.q == 1:
            return self._product(over if c == 1 else [c, *over], bound)
        if len(big) == 1 and not small and not under:
            return self.f.number(c.p, c.q) + self.f.times + self.formula(big[0], bound)
        if len(big) == 1 and isinstance(big[0], K.Log):
            small, big = [*small, *big], []
        top = small if c.p == 1 and small else [Integer(c.p), *small]
        quotient = self._quotient(top, under if c.q == 1 else [Integer(c.q), *under], bound)
        return self.f.times.join([quotient, *([self._product(big, bound)] if big else [])])

    def _flagged(self, e: Term, flags: list[Term], bound: Names) -> str:
        """x^2 Inv(x)^2 is the indicator of x != 0, as `probability.nonzero` writes it."""
        gone = [y for x in flags for y in (x**2, K.Inv(x) ** 2)]
        kept = Mul(*[x for x in Mul.make_args(e) if x not in gone])
        zero = self.formula(Integer(0), bound)
        tests = [self.formula(x, bound) + self.f.unequal + zero for x in flags]
        first = [] if kept == 1 else [self.wrapped(kept, bound, PRODUCT)]
        return self.f.times.join([*first, *map(self.f.indicator.format, tests)])

    def _quotient(self, top: list[Term], under: list[Term], bound: Names) -> str:
        stacked = self.f.is_latex
        above = (
            self.formula(top[0], bound)
            if len(top) == 1 and stacked
            else self._product(top, bound, open_end=stacked)
        )
        alone = len(under) == 1
        below = self.formula(under[0], bound) if alone else self._product(under, bound)
        return self.f.fraction(above, below, alone and level_of(under[0]) >= FACTOR)

    def _product(self, xs: list[Term], bound: Names, open_end: bool = True) -> str:
        """Factors in a person's order; only the last may be an operator without parentheses."""
        xs = sorted(xs, key=lambda x: (*place_of_factor(x), self.formula(x, bound)))
        last = len(xs) - 1
        texts = [
            self.formula(x, bound)
            if i == last and open_end and is_operator(x)
            else self.wrapped(x, bound, FACTOR)
            for i, x in enumerate(xs)
        ]
        if len(xs) > 1 and isinstance(xs[0], Rational) and isinstance(base_of(xs[1]), K.Variable):
            texts[:2] = [texts[0] + texts[1]]  # 2γ
        return self.f.times.join(texts)

    def _Pow(self, e: Term, bound: Names) -> str:
        return self.f.power(self.wrapped(e.base, bound, ATOM), self.formula(e.exp, bound))

    def _Inv(self, e: K.Inv, bound: Names) -> str:
        return self._quotient([Integer(1)], [e.args[0]], bound)

    def _Exp(self, e: K.Exp, bound: Names) -> str:
        return self.f.exp.format(self.formula(e.args[0], bound))

    def _Log(self, e: K.Log, bound: Names) -> str:
        of = self.f.short_log if is_operator(e) else self.f.log
        return of.format(self.formula(e.args[0], bound))

    def _App(self, e: K.App, bound: Names) -> str:
        args, below = [self.formula(x, bound) for x in e.args[1:]], parameters(e.fn)
        stem = e.fn.name.removesuffix("_theta") if below else e.fn.name
        name = self.f.symbol(stem)
        if below:
            name, args = self.f.index(name, ", ".join(args[:below])), args[below:]
        if stem in CONDITIONAL and len(args) > 1:
            return f"{name}({args[0]}{self.f.bar}{', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def _Max2(self, e: Term, bound: Names) -> str:
        x, y = e.args
        if x + y == 0:
            return self.f.absolute.format(self.formula(without_sign(x), bound))
        return self.f.larger.format(self.formula(x, bound), self.formula(y, bound))

    def _Delta(self, e: K.Delta, bound: Names) -> str:
        return self.f.equal_letters.format(*[self.formula(x, bound) for x in e.args])

    def _Card(self, e: K.Card, bound: Names) -> str:
        return self.f.size.format(self.set(e.args[0], bound))

    def _Nil(self, e: K.Nil, bound: Names) -> str:
        return self.f.nil

    def _Snoc(self, e: K.Snoc, bound: Names) -> str:
        return self.f.dot.join(self.formula(x, bound) for x in e.args)

    def _Pair(self, e: K.Pair, bound: Names) -> str:
        return f"({', '.join(self.formula(x, bound) for x in e.args)})"

    def _Sum(self, e: K.Sum, bound: Names) -> str:
        """Nested sums are one sum over several letters."""
        below: list[str] = []
        body: Term = e
        while isinstance(body, K.Sum):
            v = self.fresh(body, bound)
            below.append(v + self._range(body.args[0], bound))
            body, bound = body.args[1], (*bound, v)
        inner = self.wrapped(body, bound, PRODUCT)
        return self.f.operator(self.f.big_sum, ", ".join(below), inner)

    def _Max(self, e: K.Max, bound: Names) -> str:
        v = self.fresh(e, bound)
        inner = self.wrapped(e.args[1], (*bound, v), PRODUCT)
        return self.f.operator(self.f.big_max, v + self._range(e.args[0], bound), inner)

    def _Series(self, e: K.Series, bound: Names) -> str:
        v = self.fresh(e, bound)
        inner = self.wrapped(e.args[0], (*bound, v), PRODUCT)
        return self.f.operator(self.f.big_sum, f"{v}{self.f.at_least.strip()}0", inner)

    # -- sets

    def _range(self, X: Basic, bound: Names) -> str:
        if isinstance(X, K.Range):
            return self.f.below + self.formula(X.args[0], bound)
        return self.f.in_set + self.set(X, bound) if ranges_openly(X) else ""

    def set(self, X: Basic, bound: Names = ()) -> str:
        """A finite set."""
        if isinstance(X, K.Words):
            base = self.set(X.args[0], bound)
            base = self.f.paren.format(base) if isinstance(X.args[0], K.Prod) else base
            return self.f.power(base, self.formula(X.args[1], bound))
        if isinstance(X, K.Prod):
            return self.f.cross.join(self.set(Y, bound) for Y in X.args)
        return X.name if isinstance(X, K.Fin) else str(X)
