"""Sequents made by the kernel, and random choices among them and among terms."""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Basic

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.certificate import apply
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import NAT, REAL, Eq, Fn, Imp, Le, Lt, Var
from tests.derivations.kernel.random_terms import NAMES, SORTS, Source


class Pool:
    """Sequents proved so far, and random choices among them."""

    def __init__(self, seed: int, depth: int = 2) -> None:
        self.rng = Random(seed)
        self.depth = depth
        self.source = Source(self.rng)
        self.proved: list[Sequent] = []

    def apply(self, rule: str, *premises: Sequent, **args: Any) -> Sequent:
        made = apply(rule, premises, args)
        self.proved.append(made)
        return made

    def assume(self, p: Basic) -> Sequent:
        return apply("assume", [], {"formula": p})

    def real(self, *scope: Var) -> Any:
        return self.source.real(self.rng.randint(0, self.depth), scope)

    def relation(self, *scope: Var) -> Any:
        head = self.rng.choice([Eq, Le, Lt])
        return head(self.real(*scope), self.real(*scope))

    def formula(self, *scope: Var) -> Any:
        """A relation, an implication, or one of these for all values of a variable."""
        p = self.relation(*scope)
        if self.rng.random() < 0.3:
            p = Imp(self.relation(*scope), p)
        if self.rng.random() < 0.3:
            v = self.source.fresh(self.rng.choice([*SORTS, NAT, REAL]))
            p = B.for_all([v], Imp(self.relation(v), p) if self.rng.random() < 0.3 else p)
        return p

    def any(self, *kinds: type) -> Sequent:
        """A sequent from the pool, or an assumption, whose conclusion is of one of the kinds."""
        found = [s for s in self.proved[-40:] if isinstance(s.concl, kinds or K.Formula)]
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        p = self.formula()
        while kinds and not isinstance(p, kinds):
            p = self.formula()
        return self.assume(p)

    def variable(self, *formulas: Basic) -> Any:
        free = sorted(
            {v for p in formulas for v in B.variables(p)}, key=lambda v: (str(v), str(v.sort))
        )
        sort = self.rng.choice([*NAMES])
        return self.rng.choice([*free, *free, Var(NAMES[sort][0], sort)])

    def of(self, sort: Basic, *scope: Var) -> Any:
        return self.real(*scope) if sort == REAL else self.source.index(sort, 1, scope)

    def with_hole(self, z: Var) -> Any:
        """A formula that mentions z, perhaps under a binder."""
        for _ in range(20):
            p = self.formula(z, z, z)
            if z in B.variables(p):
                return p
        return Eq(Fn("f", REAL, z.sort)(z), self.real(z))
