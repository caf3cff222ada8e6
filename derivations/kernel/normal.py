"""Equality: one normal form for sums, products, powers, finite sums, reciprocals, exp and log.

The indicator x*Inv(x) becomes 1 only when x != 0 is known, a logarithm splits only over factors
known to be positive, and every law of exp and log that is used is recorded in `used`: those laws
are axioms and must be reported.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, reduce
from itertools import product as cartesian
from typing import Any

from sympy import Add, Integer, Mul, Pow, Rational, factorint

from derivations.kernel import binding as B
from derivations.kernel import monomial as P
from derivations.kernel import terms as K
from derivations.kernel.monomial import ONE, UNIT, Mono, Poly, atom, ordered, rebuild
from derivations.kernel.order import Sets, arrange, key
from derivations.kernel.signs import Signs
from derivations.kernel.terms import NAT, Delta, Exp, Inv, Log, Slot, Term, need

# exp(0) = 1 needs exp(0) != 0 beside the law of sums.
EXP_ZERO = ("exponential_of_sum", "exponential_is_positive")
EXP_LAWS = ("exponential_of_sum", "exponential_of_logarithm", "logarithm_of_exponential")


@cache
def primitive(t: Term) -> tuple[Term, frozenset[str]]:
    """The normal form of t, without facts, over the size of its leading coefficient; its axioms."""
    level = max((v.tag + 1 for v in B.variables(t) if isinstance(v, Slot)), default=0)
    norm = Normaliser()
    p = norm.poly(t, level)
    lead = abs(ordered(p)[-1][1]) if p else Fraction(1)
    return rebuild({m: c / lead for m, c in p.items()}, level), frozenset(norm.used)


class Normaliser:
    """Normal forms under the sign facts of some proved formulas."""

    def __init__(self, facts: Iterable[Term] = ()) -> None:
        self.signs = Signs(facts, primitive)
        self.used: set[str] = self.signs.used
        self._memo: dict[tuple[Term, int], Poly] = {}

    def term(self, e: Term, level: int = 0) -> Term:
        """The normal form as a term."""
        return rebuild(self.poly(e, level), level)

    def is_zero(self, e: Term) -> bool:
        """Is e = 0 for all values?  True is a proof; False means only that this method fails."""
        p = self.poly(e, 0)
        while (bad := self.denominator(p)) is not None:
            worst = max(-dict(m.factors).get(bad, 0) for m in p)
            p = self.poly(rebuild(self.times(p, atom(bad, worst), 0), 0), 0)
        return not p

    def denominator(self, p: Poly) -> Any:
        """Something non-zero outside all binders that p divides by."""
        for a, k in [f for m, _ in ordered(p) for f in m.factors]:
            inside = any(isinstance(v, Slot) for v in B.variables(a))
            if k < 0 and not inside and self.signs.nonzero(a):
                return a
        return None

    # -- polynomials

    def poly(self, e: Term, level: int) -> Poly:
        """The polynomial of a real term whose open binders are Slot(0) .. Slot(level - 1)."""
        found = self._memo.get((e, level))
        if found is None:
            found = self._memo[e, level] = self._poly(e, level)
        return found

    def _poly(self, e: Any, level: int) -> Poly:
        if isinstance(e, Rational):
            return {UNIT: Fraction(int(e.p), int(e.q))} if e != 0 else {}
        if isinstance(e, Add):
            return P.total((self.poly(x, level), 1) for x in e.args)
        if isinstance(e, Mul):
            return self.product((self.poly(x, level) for x in e.args), level)
        method = getattr(self, "_poly_" + type(e).__name__, None)
        return method(e, level) if method else atom(self.index(e, level))

    def _poly_Pow(self, e: Any, level: int) -> Poly:
        # SymPy writes 2**(-n) for (1/2)**n.
        if isinstance(e.base, Rational) and K.sort_of(-e.exp) == NAT:
            return self.poly(Inv(e.base**-e.exp), level)
        need(K.sort_of(e.exp) == NAT, "{} has no natural exponent", e)
        rest, k = P.split_natural(self.term(e.exp, level))
        base, terms = self.poly(e.base, level), Add.make_args(rest) if rest != 0 else ()
        return self.product([base] * k + [self._power(base, n, level) for n in terms], level)

    def _power(self, base: Poly, n: Any, level: int) -> Poly:
        """base^n, factor by factor when the base is one monomial without doubtful reciprocals."""
        m, c = next(iter(base.items()), (UNIT, Fraction(0)))
        numbers = ((c.numerator, 1), (c.denominator, -1))
        factors = [*m.factors, *[(Integer(x), k) for x, k in numbers if x != 1]]
        sure = all(k > 0 or self.signs.nonzero(a) for a, k in factors)
        if len(base) != 1 or m.sets or not sure:
            return atom(Pow(rebuild(base, level), n))
        return self.product((self._raised(a, n, k, level) for a, k in factors), level)

    def _raised(self, a: Any, n: Any, k: int, level: int) -> Poly:
        """The atom a to the power n k."""
        if isinstance(a, Exp):
            self.used.update(EXP_ZERO)
            return self.poly(Exp(a.args[0] * n * k), level)
        if k > 0 and Integer(1) == n:
            return self.poly(a**k, level)
        times, m = n.as_coeff_Mul()
        root, e = (a.base, a.exp * m) if isinstance(a, Pow) else (a, m)
        return atom(Pow(root, e), int(times) * k)

    def _poly_Sum(self, e: K.Sum, level: int) -> Poly:
        X = self.index(e.args[0], level)
        unfolded = P.unfold(X, e.args[1])
        if unfolded is not None:
            return self.poly(unfolded, level)
        body = self.poly(B.open_body(e.args[1], Slot(level, K.member_sort(X))), level + 1)
        return self._under(body, (X,), level)

    def _poly_Inv(self, e: Inv, level: int) -> Poly:
        p = self.poly(e.args[0], level)
        if not p:
            return {}
        lead, c = ordered(p)[-1]
        if len(p) > 1 or lead.sets:
            return {Mono(((rebuild(P.total([(p, 1 / c)]), level), -1),)): 1 / c}
        signed = [(a, k if isinstance(a, Delta) else -k) for a, k in lead.factors]
        pieces = (self._raised(a, Integer(1), k, level) for a, k in signed)
        return self.product([{UNIT: 1 / c}, *pieces], level)

    def _poly_Exp(self, e: Exp, level: int) -> Poly:
        pieces: list[Poly] = []
        rest: Poly = {}
        for m, c in ordered(self.poly(e.args[0], level)):
            x, n = self._multiple_of_log(m, c)
            if x is None:
                rest[m] = c
            else:
                pieces.append(self.poly((x if c > 0 else Inv(x)) ** n, level))
        self.used.update(EXP_LAWS[:2] if pieces else () if rest else EXP_ZERO)
        return self.product([*pieces, *([atom(Exp(rebuild(rest, level)))] if rest else [])], level)

    def _multiple_of_log(self, m: Mono, c: Fraction) -> tuple[Any, Any]:
        """x and n when the monomial is n log x or -n log x with x > 0 and n a natural number."""
        logs = [a for a, k in m.factors if isinstance(a, Log) and k == 1]
        rest = [(a, k) for a, k in m.factors if a not in logs]
        natural = c.denominator == 1 and all(k > 0 and K.sort_of(a) == NAT for a, k in rest)
        if m.sets or len(logs) != 1 or not natural or not self.signs.positive(logs[0].args[0]):
            return None, None
        return logs[0].args[0], abs(c.numerator) * P.product(rest)

    def _poly_Log(self, e: Log, level: int) -> Poly:
        p = self.poly(e.args[0], level)
        m, c = next(iter(p.items()), (UNIT, Fraction(0)))
        if len(p) != 1 or m.sets or c <= 0 or not all(self.signs.positive(a) for a, _ in m.factors):
            return atom(Log(rebuild(p, level)))
        parts = [(self._log_of_atom(a, level), k) for a, k in m.factors]
        for whole, sign in ((c.numerator, 1), (c.denominator, -1)):
            # A factor above the limit stays composite: finding its primes may take for ever.
            parts += [(atom(Log(Integer(q))), sign * k) for q, k in factorint(whole, 2**15).items()]
        self.used.update(EXP_LAWS if [k for _, k in parts] != [1] else ())
        return P.total(parts)

    def _log_of_atom(self, a: Any, level: int) -> Poly:
        if isinstance(a, Exp):
            self.used.add("logarithm_of_exponential")
            return self.poly(a.args[0], level)
        if isinstance(a, Pow) and self.signs.positive(a.base):
            self.used.update(EXP_LAWS)
            return self.times(self.poly(a.exp, level), self.poly(Log(a.base), level), level)
        return atom(Log(a))

    def _poly_Delta(self, e: Delta, level: int) -> Poly:
        a, b = (self.index(x, level) for x in e.args)
        if isinstance(a, (K.Pair, K.Snoc)) and type(a) is type(b):
            return self.product((self.poly(Delta(*xy), level) for xy in zip(a.args, b.args)), level)  # noqa: B905
        apart = {type(a), type(b)} == {K.Nil, K.Snoc}
        return ONE if a == b else {} if apart else atom(Delta(*sorted((a, b), key=key)))

    def _poly_Max2(self, e: K.Max2, level: int) -> Poly:
        a, b = sorted((self.term(x, level) for x in e.args), key=key)
        return self.poly(a, level) if a == b else atom(K.Max2(a, b))

    def _poly_Card(self, e: K.Card, level: int) -> Poly:
        X = e.args[0]
        return (
            atom(e) if isinstance(X, K.Fin) else self.poly(Mul(*[K.Card(Y) for Y in X.args]), level)
        )

    def index(self, e: Term, level: int) -> Term:
        """An index term, a set or an application with its real and natural arguments normalised."""
        if isinstance(e, (K.Max, K.Series)):
            slot = Slot(level, B.scope_sort(e))
            body = B.close_body(slot, self.term(B.opened(e, slot), level + 1))
            return e.func(*e.args[:-1], body)
        if not e.args or isinstance(e, K.Sort):
            return e
        return e.func(*[(self.term if K.is_real(x) else self.index)(x, level) for x in e.args])

    # -- products

    def product(self, polys: Iterable[Poly], level: int) -> Poly:
        """The product of several polynomials."""
        return reduce(lambda p, q: self.times(p, q, level), polys, ONE)

    def times(self, p: Poly, q: Poly, level: int) -> Poly:
        """The product; the second factor's binders are renamed apart from the first's."""
        parts: list[tuple[Poly, Fraction]] = []
        for (m, c), (n, d) in cartesian(p.items(), q.items()):
            apart = P.shifted(n, level, len(m.sets)) if m.sets and n.sets else n
            whole = Mono(m.factors + apart.factors, m.sets + apart.sets)
            done: Poly = {whole: Fraction(1)}
            parts.append((done if UNIT in (m, n) else self.tidy(whole, level), c * d))
        return P.total(parts)

    def tidy(self, m: Mono, level: int) -> Poly:
        """Merge equal atoms and exponentials, contract deltas, drop unused binders, order."""
        powers: dict[Any, int] = {}
        for a, k in m.factors:
            powers[a] = 1 if isinstance(a, Delta) else powers.get(a, 0) + k
        exps: list[Any] = [a for a in powers if isinstance(a, Exp)]
        if sum(powers[a] for a in exps) > 1:
            self.used.add("exponential_of_sum")
            merged = Exp(Add(*[powers.pop(a) * a.args[0] for a in exps]))
            inner, rest = level + len(m.sets), Mono(tuple(powers.items()))
            whole = self.times({rest: Fraction(1)}, self.poly(merged, inner), inner)
            return self._under(whole, m.sets, level)
        powers = {a: k for a, k in powers.items() if k or not self.signs.nonzero(a)}
        for step in (self._contract, self._cancel, self._unused):
            made = step(powers, m.sets, level)
            if made is not None:
                return made
        return {Mono(*arrange(powers, m.sets, level)): Fraction(1)}

    def _under(self, p: Poly, sets: Sets, level: int) -> Poly:
        """Put the outer sets back around a polynomial of the inner level."""
        return P.total((self.tidy(Mono(m.factors, sets + m.sets), level), c) for m, c in p.items())

    def _contract(self, powers: P.Powers, sets: Sets, level: int) -> Poly | None:
        """sum_a delta(a, t) f(a) = f(t) over a whole Fin or Prod."""
        deltas = [d for d in powers if isinstance(d, Delta)]
        for d, v, t in [(x, *ends) for x in deltas for ends in (x.args, x.args[::-1])]:
            i = v.tag - level if isinstance(v, Slot) else -1
            whole = 0 <= i < len(sets) and isinstance(sets[i], (K.Fin, K.Prod))
            if whole and not any(v in B.variables(x) for x in (t, *sets)):
                rest = P.product((a, k) for a, k in powers.items() if a != d)
                body = B.substitute(rest, {v: t})
                return self.poly(P.bind_slots(body, sets, level, i), level)
        return None

    def _cancel(self, powers: P.Powers, sets: Sets, level: int) -> Poly | None:
        """t * Inv(P) = (1 - (P - c t) Inv(P)) / c for the leading term c t of a non-zero sum P."""
        inner = level + len(sets)
        for a in [a for a, k in powers.items() if k < 0 and isinstance(a, Add)]:
            p = self.poly(a, inner)
            lead, c = ordered(p)[-1]
            rest = None if lead.sets else P.divide(powers, lead)
            if rest is None or not self.signs.nonzero(a):
                continue
            keep, rest[a] = Mono(tuple(rest.items())), rest[a] + 1
            gone = Mono(tuple((b, k) for b, k in rest.items() if k or b != a))
            others = self.times({keep: Fraction(-1)}, {m: p[m] for m in p if m != lead}, inner)
            whole = P.total([(others, 1 / c), ({gone: Fraction(1)}, 1 / c)])
            return self._under(whole, sets, level)
        return None

    def _unused(self, powers: P.Powers, sets: Sets, level: int) -> Poly | None:
        """A binder that nothing mentions multiplies by the size of its set."""
        mentioned = frozenset[Any]().union(*map(B.variables, [*powers, *sets]))
        for i, X in enumerate(sets):
            if Slot(level + i, K.member_sort(X)) not in mentioned:
                body = P.size(X) * P.product(powers.items())
                return self.poly(P.bind_slots(body, sets, level, i), level)
        return None
