"""Clearing denominators: a relation over a positive quantity is the relation of the numerators."""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Add, Mul

from derivations.kernel import binding as B
from derivations.kernel import monomial as P
from derivations.kernel import terms as K
from derivations.kernel.monomial import Poly, atom
from derivations.kernel.normal import Normaliser
from derivations.kernel.terms import Inv, Slot, Term
from derivations.tactics.facts import Fact
from derivations.tactics.steps import Step, arith, assume, discharge, gen, mp

ROUNDS = 8


def cleared(want: Poly, units: Sequence[Term], norm: Normaliser) -> tuple[Term, Poly]:
    """The positive product c of the units and of the sums that `want` divides by, and c * want."""
    factors = [u for u in units if norm.signs.positive(u)]
    for u in factors:
        want = norm.times(want, norm.poly(u, 0), 0)
    for _ in range(ROUNDS):
        bad = _denominator(want, norm)
        if bad is None:
            break
        worst = max(-dict(m.factors).get(bad, 0) for m in want)
        want = norm.poly(P.rebuild(norm.times(want, atom(bad, worst), 0), 0), 0)
        if not norm.signs.positive(bad):
            want = {m: c * (-1) ** worst for m, c in want.items()}
            bad = -bad
        factors.append(bad**worst)
    return Mul(*factors), want


def _denominator(want: Poly, norm: Normaliser) -> Term | None:
    for m, _ in P.ordered(want):
        for a, k in m.factors:
            slots = any(isinstance(v, Slot) for v in B.variables(a))
            divides = k < 0 and isinstance(a, (Add, K.Sum)) and not slots
            if divides and (norm.signs.positive(a) or norm.signs.positive(-a)):
                return a
    return None


def without_denominators(f: Fact, norm: Normaliser, known: Sequence[Step]) -> Fact | None:
    """The fact times the positive sums that it divides by; None when there are none."""
    left, right = f.relation.args
    clear, numerator = cleared(norm.poly(right - left, 0), (), norm)
    if clear == 1:
        return None
    th = mp(f.instance({}), *map(assume, f.hyps))
    th = arith(f.relation.func(0, P.rebuild(numerator, 0)), (clear, th), signs=known)
    relation = th.concl
    th = gen(discharge(th, *f.hyps), *f.vs)
    return Fact(th, f.vs, f.hyps, relation, f.vs)


def over(clear: Term) -> Term:
    """1/(x y) as (1/x)(1/y): the normal form would expand x y first."""
    factors = [f.as_base_exp() for f in Mul.make_args(clear)]
    return Mul(*[Inv(x) ** k for x, k in factors])
