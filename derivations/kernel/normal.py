"""Equality: one normal form for sums, products, powers, finite sums, reciprocals, exp and log.

The indicator x*Inv(x) becomes 1 only when x != 0 is known, a logarithm splits only over factors
known to be positive, and every law of exp and log that is used is recorded in `used`: those laws
are axioms and must be reported.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from sympy import Add, Basic, Integer, Mul, Pow, Rational, factorint

from derivations.kernel import binding as B
from derivations.kernel import monomial as P
from derivations.kernel import terms as K
from derivations.kernel.monomial import ONE, UNIT, Mono, Poly, add, atom, ordered, rebuild
from derivations.kernel.order import arrange, key
from derivations.kernel.signs import Signs
from derivations.kernel.terms import NAT, Delta, Exp, Inv, Log, Slot


@cache
def primitive(t: Basic) -> tuple[Basic, frozenset[str]]:
    """The normal form of t, without facts, over the size of its leading coefficient; its axioms."""
    level = max((v.tag + 1 for v in B.variables(t) if isinstance(v, Slot)), default=0)
    norm = Normaliser()
    p = norm.poly(t, level)
    lead = abs(ordered(p)[-1][1]) if p else Fraction(1)
    return rebuild({m: c / lead for m, c in p.items()}, level), frozenset(norm.used)


class Normaliser:
    """Normal forms under the sign facts of some proved formulas."""

    def __init__(self, facts: Iterable[Basic] = ()) -> None:
        self.signs = Signs(facts, primitive)
        self.used: set[str] = self.signs.used
        self._memo: dict[tuple[Basic, int], Poly] = {}

    def term(self, e: Basic, level: int = 0) -> Basic:
        """The normal form as a term."""
        return rebuild(self.poly(e, level), level)

    def is_zero(self, e: Basic) -> bool:
        """Is e = 0 for all values?  True is a proof; False means only that this method fails."""
        p = self.poly(e, 0)
        for _ in range(8):
            bad = self.denominator(p) if p else None
            if bad is None:
                break
            worst = max(-dict(m.factors).get(bad, 0) for m in p)
            p = self.multiply_out(self.times(p, atom(bad, worst), 0), bad)
        return not p

    def denominator(self, p: Poly) -> Basic | None:
        for a, k in [f for m, _ in ordered(p) for f in m.factors]:
            inside = any(isinstance(v, Slot) for v in B.variables(a))
            if k < 0 and not inside and self.signs.nonzero(a):
                return a
        return None

    def multiply_out(self, p: Poly, a: Basic) -> Poly:
        """Multiply out the positive powers of the atom a, which is itself a sum."""
        out: Poly = {}
        for m, c in p.items():
            k = max(dict(m.factors).get(a, 0), 0)
            part = {Mono(tuple(f for f in m.factors if f != (a, k)), m.sets): c}
            add(out, self.times(part, self.poly(a**k, 0), 0))
        return out

    # -- polynomials

    def poly(self, e: Basic, level: int) -> Poly:
        """The polynomial of a real term whose open binders are Slot(0) .. Slot(level - 1)."""
        found = self._memo.get((e, level))
        if found is None:
            found = self._memo[e, level] = self._poly(e, level)
        return found

    def _poly(self, e: Basic, level: int) -> Poly:
        if isinstance(e, Rational):
            return {UNIT: Fraction(int(e.p), int(e.q))} if e != 0 else {}
        if isinstance(e, Add):
            out: Poly = {}
            for x in e.args:
                add(out, self.poly(x, level))
            return out
        if isinstance(e, Mul):
            out = ONE
            for x in e.args:
                out = self.times(out, self.poly(x, level), level)
            return out
        method = getattr(self, "_poly_" + type(e).__name__, None)
        return method(e, level) if method else atom(self.index(e, level))

    def _poly_Pow(self, e: Pow, level: int) -> Poly:
        rest, k = P.split_natural(self.term(e.exp, level))
        base, out = self.poly(e.base, level), ONE
        for _ in range(k):
            out = self.times(out, base, level)
        for n in () if rest == 0 else rest.args if isinstance(rest, Add) else (rest,):
            out = self.times(out, self._symbolic_power(base, n, level), level)
        return out

    def _symbolic_power(self, base: Poly, n: Basic, level: int) -> Poly:
        """base^n, factor by factor when the base is one monomial without doubtful reciprocals."""
        m, c = next(iter(base.items()), (UNIT, Fraction(0)))
        factors = [*m.factors, *([] if c == 1 else [(Rational(c.numerator, c.denominator), 1)])]
        sure = all(k > 0 or self.signs.nonzero(a) for a, k in factors)
        if len(base) != 1 or m.sets or not sure:
            return atom(Pow(rebuild(base, level), n))
        times, n = n.as_coeff_Mul()
        out = ONE
        for a, k in factors:
            if isinstance(a, Exp):
                self.used.add("exponential_of_sum")
                piece = self.poly(Exp(a.args[0] * n * times * k), level)
            else:
                piece = atom(Pow(a, n), int(times) * k)
            out = self.times(out, piece, level)
        return out

    def _poly_Sum(self, e: K.Sum, level: int) -> Poly:
        X = self.index(e.args[0], level)
        unfolded = P.unfold(X, e.args[1])
        if unfolded is not None:
            return self.poly(unfolded, level)
        slot, out = Slot(level, K.member_sort(X)), {}
        for m, c in self.poly(B.open_body(e.args[1], slot), level + 1).items():
            add(out, self.tidy(Mono(m.factors, (X, *m.sets)), level), c)
        return out

    def _poly_Inv(self, e: Inv, level: int) -> Poly:
        p = self.poly(e.args[0], level)
        if not p:
            return {}
        lead, c = ordered(p)[-1]
        if len(p) > 1 or lead.sets:
            whole = rebuild({m: d / c for m, d in p.items()}, level)
            return {Mono(((whole, -1),)): 1 / c}
        out: Poly = {UNIT: 1 / c}
        for a, k in lead.factors:
            piece = atom(a, k if isinstance(a, Delta) else -k)
            if isinstance(a, Exp):
                self.used.add("exponential_of_sum")
                piece = self.poly(Exp(-a.args[0]), level)
            out = self.times(out, piece, level)
        return out

    def _poly_Exp(self, e: Exp, level: int) -> Poly:
        out, rest = ONE, {}
        for m, c in ordered(self.poly(e.args[0], level)):
            x, n = self._multiple_of_log(m, c)
            if x is None:
                rest[m] = c
                continue
            self.used.update(("exponential_of_sum", "exponential_of_logarithm"))
            out = self.times(out, self.poly((x if c > 0 else Inv(x)) ** n, level), level)
        if rest:
            return self.times(out, atom(Exp(rebuild(rest, level))), level)
        self.used.add("exponential_of_sum")
        return out

    def _multiple_of_log(self, m: Mono, c: Fraction) -> tuple[Basic | None, Basic]:
        """x and n when the monomial is n log x or -n log x with x > 0 and n a natural number."""
        logs = [a for a, k in m.factors if isinstance(a, Log) and k == 1]
        rest = [(a, k) for a, k in m.factors if a not in logs]
        natural = c.denominator == 1 and all(k > 0 and K.sort_of(a) == NAT for a, k in rest)
        if m.sets or len(logs) != 1 or not natural or not self.signs.positive(logs[0].args[0]):
            return None, Integer(1)
        return logs[0].args[0], abs(c.numerator) * P.product(rest)

    def _poly_Log(self, e: Log, level: int) -> Poly:
        p = self.poly(e.args[0], level)
        m, c = next(iter(p.items()), (UNIT, Fraction(0)))
        if len(p) != 1 or m.sets or c <= 0 or not all(self.signs.positive(a) for a, _ in m.factors):
            return atom(Log(rebuild(p, level)))
        if c != 1 or [k for _, k in m.factors] != [1]:
            self.used.update(("exponential_of_sum", "exponential_of_logarithm"))
            self.used.add("logarithm_of_exponential")
        out: Poly = {}
        for number, sign in ((c.numerator, 1), (c.denominator, -1)):
            for q, k in sorted(factorint(number).items()):
                add(out, atom(Log(Integer(q))), Fraction(sign * k))
        for a, k in m.factors:
            add(out, self._log_of_atom(a, level), Fraction(k))
        return out

    def _log_of_atom(self, a: Basic, level: int) -> Poly:
        if isinstance(a, Exp):
            self.used.add("logarithm_of_exponential")
            return self.poly(a.args[0], level)
        if isinstance(a, Pow):
            self.used.update(("exponential_of_sum", "exponential_of_logarithm"))
            self.used.add("logarithm_of_exponential")
            return self.times(self.poly(a.exp, level), self.poly(Log(a.base), level), level)
        return atom(Log(a))

    def _poly_Delta(self, e: Delta, level: int) -> Poly:
        a, b = (self.index(x, level) for x in e.args)
        if a == b:
            return ONE
        if isinstance(a, (K.Pair, K.Snoc)) and type(a) is type(b):
            both = Delta(a.args[0], b.args[0]) * Delta(a.args[1], b.args[1])
            return self.poly(both, level)
        apart = {type(a), type(b)} == {K.Nil, K.Snoc}
        return {} if apart else atom(Delta(*sorted((a, b), key=key)))

    def _poly_Max2(self, e: K.Max2, level: int) -> Poly:
        a, b = sorted((self.term(x, level) for x in e.args), key=key)
        return self.poly(a, level) if a == b else atom(K.Max2(a, b))

    def _poly_Card(self, e: K.Card, level: int) -> Poly:
        X = e.args[0]
        if isinstance(X, K.Prod):
            return self.poly(K.Card(X.args[0]) * K.Card(X.args[1]), level)
        return atom(e)

    def index(self, e: Basic, level: int) -> Basic:
        """An index term, a set or an application with its real and natural arguments normalised."""
        if isinstance(e, (K.Max, K.Series)):
            slot = Slot(level, B.scope_sort(e))
            body = B.close_body(slot, self.term(B.opened(e, slot), level + 1))
            return e.func(*e.args[:-1], body)
        if not e.args or isinstance(e, K.Sort):
            return e
        return e.func(*[(self.term if K.is_real(x) else self.index)(x, level) for x in e.args])

    # -- products

    def times(self, p: Poly, q: Poly, level: int) -> Poly:
        """The product; the second factor's binders are renamed apart from the first's."""
        out: Poly = {}
        for m, c in p.items():
            for n, d in q.items():
                if UNIT in (m, n):
                    add(out, {n if m == UNIT else m: c * d})
                    continue
                apart = P.shifted(n, level, len(m.sets)) if m.sets and n.sets else n
                whole = Mono(m.factors + apart.factors, m.sets + apart.sets)
                add(out, self.tidy(whole, level), c * d)
        return out

    def tidy(self, m: Mono, level: int) -> Poly:
        """Merge equal atoms and exponentials, contract deltas, drop unused binders, order."""
        powers: dict[Basic, int] = {}
        for a, k in m.factors:
            powers[a] = 1 if isinstance(a, Delta) else powers.get(a, 0) + k
        exps = [a for a in powers if isinstance(a, Exp)]
        if len(exps) > 1 or any(powers[a] > 1 for a in exps):
            self.used.add("exponential_of_sum")
            merged = Exp(Add(*[powers.pop(a) * a.args[0] for a in exps]))
            inner = level + len(m.sets)
            whole = self.times(
                {Mono(tuple(powers.items())): Fraction(1)}, self.poly(merged, inner), inner
            )
            return self._under(whole, m.sets, level)
        powers = {a: k for a, k in powers.items() if k or not self.signs.nonzero(a)}
        for step in (self._contract, self._cancel, self._unused):
            made = step(powers, m.sets, level)
            if made is not None:
                return made
        return {Mono(*arrange(powers, m.sets, level)): Fraction(1)}

    def _under(self, p: Poly, sets: tuple[Basic, ...], level: int) -> Poly:
        """Put the outer sets back around a polynomial of the inner level."""
        out: Poly = {}
        for m, c in p.items():
            add(out, self.tidy(Mono(m.factors, sets + m.sets), level), c)
        return out

    def _contract(self, powers: P.Powers, sets: tuple[Basic, ...], level: int) -> Poly | None:
        """sum_a delta(a, t) f(a) = f(t) over a whole Fin or Prod."""
        pairs = [
            (d, *ends) for d in powers if isinstance(d, Delta) for ends in (d.args, d.args[::-1])
        ]
        for d, v, t in pairs:
            i = v.tag - level if isinstance(v, Slot) else -1
            whole = 0 <= i < len(sets) and isinstance(sets[i], (K.Fin, K.Prod))
            if whole and not any(v in B.variables(x) for x in (t, *sets)):
                rest = P.product((a, k) for a, k in powers.items() if a != d)
                body = B.substitute(rest, {v: t})
                return self.poly(P.bind_slots(body, sets, level, i), level)
        return None

    def _cancel(self, powers: P.Powers, sets: tuple[Basic, ...], level: int) -> Poly | None:
        """t * Inv(P) = (1 - (P - c t) Inv(P)) / c for the leading term c t of a non-zero sum P."""
        inner = level + len(sets)
        for a in [a for a, k in powers.items() if k < 0 and isinstance(a, Add)]:
            lead, c = ordered(self.poly(a, inner))[-1]
            rest = None if lead.sets else P.divide(powers, lead)
            if rest is None or not self.signs.nonzero(a):
                continue
            others = {m: -d for m, d in self.poly(a, inner).items() if m != lead}
            keep = {Mono(tuple(rest.items())): 1 / c}
            rest[a] += 1
            gone = {Mono(tuple((b, k) for b, k in rest.items() if k or b != a)): 1 / c}
            return self._under(add(self.times(keep, others, inner), gone), sets, level)
        return None

    def _unused(self, powers: P.Powers, sets: tuple[Basic, ...], level: int) -> Poly | None:
        """A binder that nothing mentions multiplies by the size of its set."""
        mentioned = frozenset().union(*map(B.variables, [*powers, *sets]))
        for i, X in enumerate(sets):
            if Slot(level + i, K.member_sort(X)) not in mentioned:
                body = P.size(X) * P.product(powers.items())
                return self.poly(P.bind_slots(body, sets, level, i), level)
        return None
