"""Explaining a line: find instances, cofactors and multipliers of named facts that give it.

Untrusted.  Each monomial of the goal is a place where a monomial of some fact may sit; what is left
of the goal's monomial is the cofactor, and the binders that the fact does not use are summed over.
Exact linear algebra then finds the multipliers, and the proof is rebuilt with kernel rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product as choices
from typing import Any

from sympy import Integer, Mul, Rational

from derivations.kernel import binding as B
from derivations.kernel import monomial as P
from derivations.kernel import terms as K
from derivations.kernel.monomial import Mono, Poly
from derivations.kernel.normal import Normaliser
from derivations.kernel.order import key
from derivations.kernel.terms import REAL, Eq, Inv, Le, Lt, Max2, Refused, Slot, Term, Var
from derivations.tactics import facts as F
from derivations.tactics.clearing import cleared, over, without_denominators
from derivations.tactics.linear import solve
from derivations.tactics.sides import absolute_square, larger_than, side_condition
from derivations.tactics.steps import Step, arith, asking, fresh_like, gen, mp, step

ROUNDS, LIMIT, LEVELS = 4, 240, 3


class Unexplained(Refused):
    """No combination of the facts gives the goal; `residual` is what none of them explains."""

    def __init__(self, goal: Term, residual: Term, tried: int, note: str = "") -> None:
        self.goal, self.residual, self.tried, self.note = goal, residual, tried, note
        super().__init__(note or f"left over after {tried} candidates: {residual}")


def explain(
    goal: Term,
    facts: Sequence[Step],
    known: Sequence[Step],
    units: Sequence[Term] = (),
    depth: int = 1,
) -> Step:
    """A proof of the relation `goal` from the facts, with the signs that are known."""
    norm = asking(known)
    left, right = goal.args
    want = norm.poly(right - left, 0)
    if not isinstance(goal, Lt) and (not want or norm.is_zero(right - left)):
        return arith(goal, signs=known)
    clear, numerator = cleared(want, units, norm)
    if clear != 1:
        simpler = explain(goal.func(0, P.rebuild(numerator, 0)), facts, known, (), depth)
        return arith(goal, (over(clear), simpler), signs=known)
    failure: Unexplained | None = None
    for level in range(LEVELS):
        try:
            return Search(goal, tuple(facts), tuple(known), norm, depth, level).run()
        except Unexplained as e:
            failure = failure or e
    assert failure is not None
    raise failure


@dataclass(frozen=True)
class Candidate:
    """cofactor * (an instance of a fact), summed over the outer binders."""

    fact: F.Fact
    values: dict[Term, Term]
    cofactor: Term
    outer: tuple[tuple[Var, Term], ...]
    poly: Poly


@dataclass
class Search:
    """One search at one level of generosity about binders."""

    goal: Term
    facts: tuple[Step, ...]
    known: tuple[Step, ...]
    norm: Normaliser
    depth: int
    level: int
    candidates: list[Candidate | Term] = field(default_factory=list)
    columns: list[Poly] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)

    def run(self) -> Step:
        """Triggers, candidates and multipliers, a few rounds of them."""
        left, right = self.goal.args
        want = self.norm.poly(right - left, 0)
        usable = self._facts()
        patterns = [p for f in usable for p in self._patterns(f)]
        cap = self._cap(want, usable)
        # 0 < 0 has no monomials to start from: the contradiction is somewhere in the facts
        todo = list(want) or list(dict.fromkeys(p for _, p, _ in patterns))
        met = set(todo)
        solution = None
        for _ in range(ROUNDS):
            for m in sorted(todo, key=P.mono_key):
                self._sign_of(m)
                for fact, pattern, mult in patterns:
                    self._place(fact, pattern, mult, m, cap)
            free = [
                isinstance(c, Candidate) and isinstance(c.fact.relation, Eq)
                for c in self.candidates
            ]
            solution = solve(self.columns, free, dict(want))
            if not solution.residual and (x := self._strict_enough(solution.x, free, want)):
                return self._rebuild(x)
            todo = [m for c in self.columns for m in c if m not in met]
            todo = list(dict.fromkeys(todo))
            met.update(todo)
            if not todo:
                break
        residual: Poly = dict(solution.residual if solution else want)  # type: ignore[arg-type]
        raise Unexplained(self.goal, P.rebuild(residual, 0), len(self.candidates))

    # -- facts and patterns

    def _facts(self) -> list[F.Fact]:
        steps = list(self.facts)
        terms = self._terms(steps)
        for t in [t for t in terms if isinstance(t, (Max2, K.Max))]:
            steps += larger_than(t) if not isinstance(self.goal, Eq) else []
            steps += absolute_square(t)
        keep = B.variables(self.goal)
        found = [f for th in steps if (f := F.as_fact(th, keep)) is not None]
        out = [g for f in found for g in F.specialise(f, terms, keep)]
        out += [g for f in out if (g := without_denominators(f, self.norm, self.known)) is not None]
        wanted = (Eq,) if isinstance(self.goal, Eq) else (Eq, Le, Lt)
        return [f for f in out if isinstance(f.relation, wanted) and self._side_holds(f)]

    def _terms(self, steps: Sequence[Step]) -> list[Term]:
        terms = list(F.headed_subterms(self.goal))
        for f in [f for th in steps if (f := F.as_fact(th)) is not None]:
            if not any(v.sort == REAL for v in f.vs):
                terms += F.headed_subterms(f.relation)
        return sorted(dict.fromkeys(terms), key=lambda t: repr(key(t)))

    def _side_holds(self, f: F.Fact) -> bool:
        """Facts at fixed terms, or specialised to real ones, must have their side conditions."""
        if not f.hyps or (f.vs and f.at == f.vs):
            return True
        return all(self._side(h) is not None for h in f.hyps)

    def _side(self, h: Term) -> Step | None:
        search = explain if self.depth > 0 else None
        return side_condition(h, self.norm, self.known, self.facts, search, self.depth - 1)

    def _patterns(self, f: F.Fact) -> Iterator[tuple[F.Fact, Mono, Term]]:
        """The monomials of a fact, also multiplied by its denominators or divided by a factor."""
        difference = f.relation.args[1] - f.relation.args[0]
        p = self.norm.poly(difference, 0)
        for mult in self._multipliers(f, p):
            q = p if mult == 1 else self.norm.poly(mult * difference, 0)
            for m, _ in P.ordered(q):
                yield f, m, mult

    def _multipliers(self, f: F.Fact, p: Poly) -> list[Term]:
        low: dict[Term, int] = {}
        real: dict[Term, None] = {}
        for m, _ in P.ordered(p):
            for a, k in m.factors:
                slots = any(isinstance(v, Slot) for v in B.variables(a))
                if k < 0 and not slots and self.norm.signs.nonzero(a):
                    low[a] = max(low.get(a, 0), -k)
                parameter = isinstance(a, Var) and a.sort == REAL and a not in f.vs
                if k > 0 and parameter and self.norm.signs.nonzero(a):
                    real[a] = None
        out: list[Term] = [Integer(1)]
        if low:
            out.append(Mul(*[a**k for a, k in low.items()]))
        return out + [Inv(a) for a in list(real)[:3]]

    # -- candidates

    def _cap(self, want: Poly, usable: Sequence[F.Fact]) -> int:
        """A candidate has no more binders than the goal or the facts after contraction; without
        this flow equations would unfold for ever."""
        widths = [len(m.sets) for m in want]
        for f in usable:
            p = self.norm.poly(f.relation.args[1] - f.relation.args[0], 0)
            widths += [len(m.sets) for m in p]
        return max(widths, default=0) + (self.level > 1)

    def _sign_of(self, m: Mono) -> None:
        """A monomial that is known to be non-negative is a candidate of its own."""
        if isinstance(self.goal, Eq):
            return
        t = P.rebuild({m: Fraction(1)}, 0)
        if self.norm.signs.nonneg(t) and ("sign", m) not in self.seen:
            self.seen.add(("sign", m))
            self.candidates.append(t)
            self.columns.append({m: Fraction(1)})

    def _place(self, f: F.Fact, pattern: Mono, mult: Term, goal: Mono, cap: int) -> None:
        for place in F.places(pattern, goal, f.vs) if pattern.factors else ():
            missing = [v for v in f.vs if v not in place.values]
            for fill in self._fillings(missing):
                if len(self.candidates) < LIMIT:
                    self._add(f, {**place.values, **fill}, mult, place, cap)

    def _fillings(self, missing: list[Var]) -> Iterator[dict[Term, Term]]:
        """Values for variables that the place does not determine: free variables of the goal."""
        if len(missing) > 2 or any(v.sort == REAL for v in missing):
            return
        mine = sorted(B.variables(self.goal), key=lambda v: repr(key(v)))
        options = [[w for w in mine if w.sort == v.sort] for v in missing]
        for pick in choices(*options):
            yield dict(zip(missing, pick, strict=True))

    def _add(self, f: F.Fact, values: F.Values, mult: Term, place: F.Place, cap: int) -> None:
        names = {s: fresh_like(Var("i", s.sort)) for s, _ in place.outer}
        at = {v: B.substitute(t, names) for v, t in values.items()}
        cofactor = B.substitute(P.product(place.rest), names) * B.substitute(mult, at)
        if not isinstance(f.relation, Eq) and not self.norm.signs.nonneg(cofactor):
            return
        relation = B.substitute(f.relation, at)
        over = tuple((names[s], B.substitute(X, names)) for s, X in place.outer)
        whole = cofactor * (relation.args[1] - relation.args[0])
        for v, X in reversed(over):
            whole = B.bind_sum(whole, v, X)
        p = self.norm.poly(whole, 0)
        tag = (isinstance(f.relation, Eq), frozenset(p.items()))
        if not p or tag in self.seen or max(len(m.sets) for m in p) > cap:
            return
        self.seen.add(tag)
        self.candidates.append(Candidate(f, at, cofactor, over, p))
        self.columns.append(p)

    # -- the proof

    def _strict_enough(self, x: list[Fraction], free: list[bool], want: Poly) -> Any:
        """These multipliers, or others that use something strict when the goal is strict: x, plus
        a solution of  column j + sum z columns = m want  with j strict, over 1 + m."""
        strict = list(map(self._strict, self.candidates))
        if not isinstance(self.goal, Lt) or any(y and s for y, s in zip(x, strict, strict=True)):
            return x
        goal: Poly = {m: -c for m, c in want.items()}
        for j in [j for j, s in enumerate(strict) if s]:
            target = {m: -c for m, c in self.columns[j].items()}
            z, left = solve([*self.columns, goal], [*free, False], target)
            if not left:
                z[j] += 1
                return [(a + b) / (1 + z[-1]) for a, b in zip(x, z[:-1], strict=True)]
        return None

    def _strict(self, c: Candidate | Term) -> bool:
        if not isinstance(c, Candidate):
            return self.norm.signs.positive(c)
        inside = all(isinstance(X, (K.Fin, K.Prod)) for _, X in c.outer)
        return isinstance(c.fact.relation, Lt) and inside and self.norm.signs.positive(c.cofactor)

    def _rebuild(self, x: list[Fraction]) -> Step:
        terms: list[tuple[Any, Step]] = []
        signs: list[Term] = []
        for c, y in zip(self.candidates, x, strict=True):
            weight = Rational(y.numerator, y.denominator)
            if y and isinstance(c, Candidate):
                terms.append((weight, self._weighted(c)))
            elif y:
                signs.append(weight * c)
        try:
            return arith(self.goal, *terms, signs=self.known, nonneg=signs)
        except Refused as e:
            raise Unexplained(self.goal, Integer(0), len(self.candidates), str(e)) from None

    def _weighted(self, c: Candidate) -> Step:
        th = c.fact.instance(c.values)
        for h in c.fact.hyps:
            proof = self._side(B.substitute(h, c.values))
            if proof is None:
                note = f"its side condition is not known: {B.substitute(h, c.values)}"
                raise Unexplained(self.goal, Integer(0), len(self.candidates), note)
            th = mp(th, proof)
        if c.cofactor != 1:
            kind = th.concl.func
            if kind is Lt and not self.norm.signs.positive(c.cofactor):
                kind = Le
            goal = kind(*[c.cofactor * t for t in th.concl.args])
            th = arith(goal, (c.cofactor, th), signs=self.known)
        for v, X in reversed(c.outer):
            if isinstance(th.concl, Lt) and isinstance(X, (K.Range, K.Words)):
                th = arith(Le(*th.concl.args), (1, th))
            th = step("sum_of_members", gen(th, v), over=X)
        return th
