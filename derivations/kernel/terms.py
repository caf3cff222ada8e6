"""Terms and formulas: the only objects the kernel talks about.

Binding is locally nameless: a bound variable is a number (`Bound(0)` is the innermost binder), a
free one has a name (`Var`).  Two terms that differ only in bound names are therefore the *same*
SymPy object, and substituting a closed term can never capture anything.

SymPy is trusted for `Add`, `Mul`, natural powers.  Every other head is our own and never
evaluates: SymPy's reciprocal, exp and log erase side conditions in their constructors.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self

from sympy import Add, Basic, Expr, Float, Integer, Mul, Pow, Rational
from sympy.core.expr import AtomicExpr
from sympy.core.symbol import Str
from sympy.logic.boolalg import Boolean

Term = Any  # a SymPy expression or formula; SymPy ships no types


class Refused(Exception):
    """A rule was used outside its side conditions, or a term is not one of ours."""


def need(condition: bool, message: str, *about: object) -> None:
    """Raise `Refused` unless the condition holds; the message is formatted only then."""
    if not condition:
        raise Refused(message.format(*about))


def as_term(x: Any) -> Term:
    """A term from a Python int or a SymPy object; floats, booleans and strings are refused."""
    exact = isinstance(x, (int, Basic)) and not isinstance(x, (bool, Float, Boolean))
    need(exact, "{} {} is no exact term: write an int or a Rational", type(x).__name__, x)
    return Integer(x) if isinstance(x, int) else x


class _Plain:
    """Printing for messages; pages have their own printer in the language."""

    def _sympystr(self, printer: Any) -> str:
        return f"{type(self).__name__}({', '.join(map(printer._print, self.args))})"  # type: ignore


# Equal terms are mostly one object: comparing is cheap.  `typed` keeps 1 and True apart.
shared: Any = lru_cache(maxsize=2**17, typed=True)


class Sort(_Plain, Basic):
    """What an index or a real can be; names are given as strings."""

    @shared
    def __new__(cls, *args: Any) -> Self:
        return Basic.__new__(cls, *[Str(x) if isinstance(x, str) else x for x in args])

    name = property(lambda self: str(self.args[0].name))


class Named(Sort):
    """The sorts REAL and NAT."""


class Fin(Sort):
    """Fin(name): a finite, non-empty set of unspecified size; also the sort of its members."""


class Prod(Sort):
    """Prod(X, Y): the product of two finite sets; its members are pairs."""


class WordsOf(Sort):
    """WordsOf(X): the sort of all words over a finite set."""


class Fn(Sort):
    """Fn(name, result, *arguments): a schematic function symbol; `f(x, y)` applies it."""

    codomain = property(lambda self: self.args[1])
    domain = property(lambda self: self.args[2:])

    def __call__(self, *args: Any) -> App:
        return App(self, *args)


REAL, NAT = Named("real"), Named("natural")


class Range(_Plain, Basic):
    """Range(n): the set {0, ..., n-1}, empty when n = 0."""


class Words(_Plain, Basic):
    """Words(X, n): the words of length n over a finite set."""


class _Real:
    """Arithmetic of our own heads; the priority makes x/y build Inv and never SymPy's 1/y."""

    is_commutative, _op_priority = True, 20.0

    def __truediv__(self: Any, other: Any) -> Expr:
        return Mul(self, reciprocal(other))

    def __rtruediv__(self: Any, other: Any) -> Expr:
        return Mul(other, reciprocal(self))


def reciprocal(x: Any) -> Expr:
    """1/x for a number other than 0, Inv(x) otherwise."""
    t = as_term(x)
    return Rational(1, t) if isinstance(t, Rational) and t != 0 else Inv(t)


class Variable(_Real, AtomicExpr):
    """A tag and a sort."""

    tag: Any
    sort: Any

    @shared
    def __new__(cls, tag: str | int, sort: Term) -> Self:
        made = AtomicExpr.__new__(cls)
        made.tag, made.sort = tag, sort
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        return (type(self.tag).__name__, self.tag, self.sort)

    def _sympystr(self, printer: Any) -> str:
        return str(self.tag) if isinstance(self, Var) else f"{type(self).__name__}{self.tag}"


class Var(Variable):
    """A free variable; authors' tags are strings, the kernel's own fresh ones are numbers."""


class Bound(Variable):
    """A de Bruijn index."""


class Slot(Variable):
    """A binder of the normal form: a class of its own, so that no name can collide with it."""


class Head(_Plain, _Real, Expr):
    """A non-evaluating term: a real, or an index."""

    @shared
    def __new__(cls, *args: Any) -> Self:
        return Expr.__new__(cls, *map(as_term, args))


class App(Head):
    """App(f, x, y, ...): f(x, y, ...)."""

    fn = property(lambda self: self.args[0])


class Inv(Head):
    """1/x, with Inv(0) = 0."""


class Exp(Head):
    """e^x."""


class Log(Head):
    """log x for x > 0; some unspecified real elsewhere."""


class Max2(Head):
    """The larger of two reals; |x| is Max2(x, -x)."""


class Delta(Head):
    """1 when two indices are equal, else 0."""


class Card(Head):
    """The size of a Fin or a Prod, at least 1."""


class Sum(Head):
    """Sum(X, body): the finite sum over the members of X."""


class Max(Head):
    """Max(X, body): the maximum over the members of X, a Fin or a Prod."""


class Series(Head):
    """Series(body): the limit of the partial sums, where the series axiom says that it exists."""


class Nil(Head):
    """Nil(X): the empty word."""


class Snoc(Head):
    """Snoc(w, x): the word w followed by the letter x."""


class Pair(Head):
    """Pair(x, y)."""


class Lam(_Plain, Basic):
    """Lam(sort, body): an abstraction, the value given to a function symbol."""


class Formula(_Plain, Basic):
    """A statement about reals; never a SymPy boolean."""

    @shared
    def __new__(cls, *args: Any) -> Self:
        return Basic.__new__(cls, *map(as_term, args))


class Eq(Formula):
    """x = y."""


class Le(Formula):
    """x <= y."""


class Lt(Formula):
    """x < y."""


class Imp(Formula):
    """p -> q; u != 0 is written u = 0 -> 0 < 0."""


class All(Formula):
    """All(sort, body)."""


class Lim(Formula):
    """Lim(filter, f, L): f tends to L along the filter."""


class HasD(Formula):
    """HasD(f, c, d): the real function f has the derivative d at c."""


class Filter(_Plain, Basic):
    """How the variable of a limit moves."""


class Infinity(Filter):
    """n -> oo over the naturals."""


class Near(Filter):
    """Near(c): v -> c over the reals other than c."""


class Right(Filter):
    """v -> 0 over the positive reals."""


# ------------------------------------------------------------------ sorts of terms


def sort_of(t: Term) -> Term:
    """REAL, NAT or the sort of an index."""
    if isinstance(t, Variable):
        return t.sort
    if isinstance(t, App):
        return t.fn.codomain
    if isinstance(t, (Add, Mul, Pow)):
        return NAT if all(sort_of(x) == NAT for x in t.args) else REAL
    if isinstance(t, Nil):
        return WordsOf(t.args[0])
    if isinstance(t, Snoc):
        return sort_of(t.args[0])
    if isinstance(t, Pair):
        return Prod(*map(sort_of, t.args))
    return NAT if isinstance(t, Integer) and t >= 0 else REAL


def fits(t: Term, sort: Term) -> bool:
    """A natural is a real; otherwise the sorts are the same."""
    have = sort_of(t)
    return isinstance(t, Expr) and (have == sort or (have == NAT and sort == REAL))


def is_real(t: Term) -> bool:
    """Is t a real or natural term, not an index?"""
    return fits(t, REAL)


def member_sort(X: Term) -> Term:
    """The sort of the members of a finite set."""
    need(isinstance(X, (Fin, Prod, Range, Words)), "not a finite set: {}", X)
    return NAT if isinstance(X, Range) else WordsOf(X.args[0]) if isinstance(X, Words) else X
