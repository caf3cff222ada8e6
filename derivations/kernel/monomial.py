"""Polynomials of the normal form: monomials are products of atoms under finite-sum binders.

Binder i of a monomial at level L is `Slot(L + i)`, where L counts the binders that are already open
around it.  Power -1 of an atom is `Inv`, and power 0 is the indicator x*Inv(x) of x != 0.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from sympy import Add, Integer, Mul, Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.order import key
from derivations.kernel.terms import Inv, Slot, Term


class Mono(NamedTuple):
    """Atoms with their powers, sorted, under the sets that the slots range over."""

    factors: tuple[tuple[Term, int], ...]
    sets: tuple[Term, ...] = ()


Poly = dict[Mono, Fraction]
Powers = Mapping[Any, int]
UNIT = Mono(())
ONE: Poly = {UNIT: Fraction(1)}


def atom(a: Term, k: int = 1) -> Poly:
    """The polynomial a^k."""
    return {Mono(((a, k),)): Fraction(1)}


def total(parts: Iterable[tuple[Poly, Fraction | int]]) -> Poly:
    """The sum of polynomials with weights."""
    out: Poly = {}
    for p, weight in parts:
        for m, c in p.items():
            out[m] = out.get(m, Fraction(0)) + c * weight
    return {m: c for m, c in out.items() if c}


@cache
def mono_key(m: Mono) -> tuple[object, ...]:
    """More binders, then a higher degree, then structure."""
    degree = sum(abs(k) for _, k in m.factors)
    return (len(m.sets), degree, tuple((key(a), -k) for a, k in m.factors), tuple(map(key, m.sets)))


def ordered(p: Poly) -> list[tuple[Mono, Fraction]]:
    """The monomials in the kernel's order, which no hash seed changes."""
    return sorted(p.items(), key=lambda mc: mono_key(mc[0]))


def product(factors: Iterable[tuple[Term, int]]) -> Term:
    """The term of several factors."""
    return Mul(*[a**k if k > 0 else Inv(a) ** -k if k else a * Inv(a) for a, k in factors])


def bind_slots(body: Term, sets: tuple[Term, ...], level: int, skip: int = -1) -> Term:
    """The sum of body over the sets, outermost first, without the one at `skip`."""
    for j in reversed(range(len(sets))):
        if j != skip:
            body = B.bind_sum(body, Slot(level + j, K.member_sort(sets[j])), sets[j])
    return body


def rebuild(p: Poly, level: int) -> Term:
    """The term that a polynomial stands for."""
    terms = [(c, bind_slots(product(m.factors), m.sets, level)) for m, c in ordered(p)]
    return Add(*[Rational(c.numerator, c.denominator) * t for c, t in terms])


def shifted(n: Mono, level: int, by: int) -> Mono:
    """Rename the binders of n from level.. to level + by.."""
    sorts = [K.member_sort(X) for X in n.sets]
    move = {Slot(level + i, s): Slot(level + by + i, s) for i, s in enumerate(sorts)}
    factors = tuple((B.substitute(a, move), k) for a, k in n.factors)
    return Mono(factors, tuple(B.substitute(X, move) for X in n.sets))


def divide(powers: Powers, by: Mono) -> dict[Term, int] | None:
    """powers / by when every factor of by is there with at least its power."""
    taken = dict(by.factors)
    if any(k <= 0 or powers.get(a, 0) < k for a, k in by.factors):
        return None
    return {a: k - taken.get(a, 0) for a, k in powers.items() if k != taken.get(a)}


def split_natural(n: Any) -> tuple[Any, int]:
    """n = rest + k for a natural term n and a number k."""
    k, rest = n.as_coeff_Add()
    return rest, int(k)


def size(X: Term) -> Term:
    """The number of members of a finite set."""
    if isinstance(X, K.Words):
        return K.Card(X.args[0]) ** X.args[1]
    return X.args[0] if isinstance(X, K.Range) else K.Card(X)


def unfold(X: Any, body: Term) -> Term | None:
    """Range(n+1), Words(X, n+1) and products are sums over smaller sets; Range(0) is empty."""
    if isinstance(X, K.Prod):
        return _nested(body, X.args[0], X.args[1], K.Pair)
    rest, k = split_natural(X.args[-1]) if isinstance(X, (K.Range, K.Words)) else (X, 0)
    if k == 0 and rest != 0:
        return None
    if isinstance(X, K.Range):
        n = rest + k - 1
        return K.Sum(K.Range(n), body) + B.open_body(body, n) if k else Integer(0)
    if k == 0:
        return B.open_body(body, K.Nil(X.args[0]))
    return _nested(body, K.Words(X.args[0], rest + k - 1), X.args[0], K.Snoc)


def _nested(body: Term, first: Term, last: Term, join: Any) -> Term:
    u, v = B.fresh(K.member_sort(first)), B.fresh(last)
    return B.bind_sum(B.bind_sum(B.open_body(body, join(u, v)), v, last), u, first)
