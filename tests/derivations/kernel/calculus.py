"""A model that decides limits and derivatives, and the symbols of a formula by name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import REAL, Fn, Lt, Var
from tests.derivations.kernel.evaluate import Model, Truth

C = Var("c", REAL)


@dataclass(frozen=True)
class Calculus(Model):
    """A model that decides limits and derivatives by evaluating closer and closer."""

    step: float = 1e-4

    def _Lim(self, p: K.Lim, env: Any) -> Truth:
        at = float(self.value(p.args[0].args[0], env)) if p.args[0].args else 0.0
        points: list[Any] = [at - self.step, at + self.step]
        if isinstance(p.args[0], K.Infinity):
            points = [Fraction(200), Fraction(201)]
        if isinstance(p.args[0], K.Right):
            points = [self.step]
        limit = float(self.value(p.args[2], env))
        gaps = [abs(float(self.value(p.args[1], [*env, v])) - limit) for v in points]
        return max(gaps) < 0.01 * (1 + abs(limit))

    def _Le(self, p: K.Le, env: Any) -> Truth:
        return super()._Le(p, env) is not False

    def _Lt(self, p: Lt, env: Any) -> Truth:
        left, right = self._of(p, env)
        return bool(left < right)

    def _HasD(self, p: K.HasD, env: Any) -> Truth:
        return super()._HasD(p, env) is not False

    def complete(self, sort: Basic) -> bool:
        return True

    def samples(self, sort: Basic) -> list[Any]:
        if sort != REAL:
            return super().samples(sort)
        at = float(self.values.get(C, 0))
        return [at + h for h in (-1.5, -0.4, -0.1, -0.01, 0.0, 0.01, 0.1, 0.4, 1.5)]


def symbols(formula: Basic) -> dict[str, Basic]:
    found: dict[str, Basic] = {}
    for e in B.subterms(formula):
        if isinstance(e, Fn):
            found[e.name] = e
        elif isinstance(e, Var):
            found[str(e.tag)] = e
    return found
