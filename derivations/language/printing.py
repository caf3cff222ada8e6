"""Formulas for people: unicode text and LaTeX from kernel terms, bound variables named by sort.

    text(formula)     Σ_a π(a|s) (r(s, a) + γ Σ_s′ P(s′|s, a) V(s′)) = V(s)
    latex(formula)    the same for a page

Summands and factors stand in a person's order: numbers, parameters, probabilities, values, sums;
what is subtracted comes last.
"""

from __future__ import annotations

from sympy import Basic

from derivations.kernel import terms as K
from derivations.language.formats import LATEX, UNICODE, Format
from derivations.language.naming import free_stems
from derivations.language.shape import PRODUCT, is_unequal
from derivations.language.term_printing import Names, Term, TermPrinter


def text(e: Term) -> str:
    """A formula or a term in unicode."""
    return printer(UNICODE, e).formula(e)


def latex(e: Term) -> str:
    """A formula or a term in LaTeX."""
    return printer(LATEX, e).formula(e)


def printer(f: Format, *about: Basic) -> Printer:
    """A printer in which every free variable of these formulas has one name of its own."""
    return Printer(f, {v: f.symbol(name) for v, name in free_stems(about).items()})


class Printer(TermPrinter):
    """Formulas and terms in one output format `f`; `free` names the free variables."""

    def _Eq(self, e: K.Eq, bound: Names) -> str:
        return f"{self.formula(e.args[0], bound)} = {self.formula(e.args[1], bound)}"

    def _Le(self, e: K.Le, bound: Names) -> str:
        return self._order(e, bound, self.f.at_most, self.f.at_least)

    def _Lt(self, e: K.Lt, bound: Names) -> str:
        return self._order(e, bound, self.f.less, self.f.more)

    def _order(self, e: Term, bound: Names, below: str, above: str) -> str:
        left, right = e.args
        if left == 0 and right != 0:  # 0 <= x is read "x is at least 0"
            return f"{self.formula(right, bound)}{above}0"
        return f"{self.formula(left, bound)}{below}{self.formula(right, bound)}"

    def _Imp(self, e: Term, bound: Names) -> str:
        given, body = [], e
        while isinstance(body, K.Imp) and not is_unequal(body):
            p = self.formula(body.args[0], bound)
            loose = isinstance(body.args[0], (K.Imp, K.All)) and not is_unequal(body.args[0])
            given.append(self.f.paren.format(p) if loose else p)
            body = body.args[1]
        if not given:
            sides = [self.formula(t, bound) for t in e.args[0].args]
            return self.f.unequal.join(sides)
        return self.f.both.join(given) + self.f.implies + self.formula(body, bound)

    def _All(self, e: Term, bound: Names) -> str:
        names, body = [], e
        while isinstance(body, K.All):
            names.append(self.fresh(body, (*bound, *names)))
            body = body.args[1]
        return self.f.for_all.format(", ".join(names), self.formula(body, (*bound, *names)))

    def _Lim(self, e: K.Lim, bound: Names) -> str:
        F, body, limit = e.args
        v = self.fresh(e, bound)
        far = self.f.infinity if isinstance(F, K.Infinity) else self.f.from_right
        to = self.formula(F.args[0], bound) if isinstance(F, K.Near) else far
        inner = self.wrapped(body, (*bound, v), PRODUCT)
        return self.f.limit.format(v, to, inner, self.formula(limit, bound))

    def _HasD(self, e: K.HasD, bound: Names) -> str:
        body, at, d = e.args
        v, where = self.fresh(e, bound), self.formula(at, bound)
        inner = self.wrapped(body, (*bound, v), PRODUCT)
        if v == where:
            return self.f.derivative.format(v, inner, self.formula(d, bound))
        return self.f.derivative_at.format(v, inner, where, self.formula(d, bound))
