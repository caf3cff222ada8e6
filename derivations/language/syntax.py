"""The author's language: SymPy expressions over the kernel's heads.

`exp`, `log`, `Sum`, `absolute`, `Max` build kernel terms; `x / y` builds a reciprocal; comparisons
build formulas.  SymPy's own exp, log, Sum, Piecewise ... are refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Pow
from sympy.core.relational import GreaterThan, LessThan, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import Boolean

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Fin, Fn, Refused, Term, Var

Index = Var | tuple[Var, Term]


# ------------------------------------------------------------------ symbols


def members(of: str | Term, *names: str) -> Any:
    """Variables that range over a finite set: `s, s2 = members("S", "s", "s2")`."""
    X = Fin(of) if isinstance(of, str) else of
    return _one_or_many([Var(n, X) for n in names])


def reals(*names: str) -> Any:
    """Real variables."""
    return _one_or_many([Var(n, REAL) for n in names])


def naturals(*names: str) -> Any:
    """Natural-number variables."""
    return _one_or_many([Var(n, NAT) for n in names])


def words(over: str | Term, *names: str) -> Any:
    """Words over a finite set."""
    X = Fin(over) if isinstance(over, str) else over
    return _one_or_many([Var(n, K.WordsOf(X)) for n in names])


def function(name: str, *domain: Any, into: Any = REAL) -> Fn:
    """A schematic function; the domain is given by sorts, set names or variables."""
    return Fn(name, _sort(into), *map(_sort, domain))


def functions(names: str, *domain: Any) -> Any:
    """Several functions of the same domain: `p, q = functions("p q", "A")`."""
    return _one_or_many([function(n, *domain) for n in names.split()])


def _sort(x: Any) -> Term:
    return Fin(x) if isinstance(x, str) else x.sort if isinstance(x, K.Variable) else x


def _one_or_many(xs: list[Any]) -> Any:
    return xs[0] if len(xs) == 1 else xs


# ------------------------------------------------------------------ terms


def term(x: Any) -> Expr:
    """A kernel term: SymPy's 1/x becomes Inv(x).

    Raises: Refused for anything that is not ours, by name.
    """
    t = _converted(K.as_term(x))
    return B.check(t)


def _converted(e: Term) -> Term:
    if isinstance(e, Pow) and e.exp.as_coeff_Mul()[0].is_negative:
        # 1/x, and SymPy's 2**(-n) for (1/2)**n.
        return K.Inv(_converted(e.base)) ** _converted(-e.exp)
    if not e.args or isinstance(e, K.Sort):
        return e
    new = [_converted(x) for x in e.args]
    return e if all(x is y for x, y in zip(new, e.args, strict=True)) else e.func(*new)


def exp(x: Any) -> Expr:
    """e^x."""
    return K.Exp(term(x))


def log(x: Any) -> Expr:
    """The natural logarithm (nats), specified for x > 0 only."""
    return K.Log(term(x))


def Sum(body: Any, *over: Index) -> Expr:
    """The sum of body over variables, innermost first: a member of a set, or (t, Range(T))."""
    out = term(body)
    for i in over:
        v, X = i if isinstance(i, tuple) else (i, i.sort)
        out = B.bind_sum(out, v, term_set(X))
    return out


def term_set(X: Term) -> Term:
    """A finite set whose size, if any, is a kernel term."""
    return X.func(*X.args[:-1], term(X.args[-1])) if isinstance(X, (K.Range, K.Words)) else X


def steps_before(n: Any) -> Term:
    """The set {0, ..., n-1}."""
    return K.Range(term(n))


def sequences(over: str | Term, n: Any) -> Term:
    """The words of length n."""
    return K.Words(Fin(over) if isinstance(over, str) else over, term(n))


def series(body: Any, t: Var) -> Expr:
    """The sum of body over all naturals t; specified only where it is known to converge."""
    return K.Series(B.close_body(t, term(body)))


def absolute(x: Any) -> Expr:
    """|x|."""
    t = term(x)
    return K.Max2(t, -t)


def larger(x: Any, y: Any) -> Expr:
    """max(x, y)."""
    return K.Max2(term(x), term(y))


def smaller(x: Any, y: Any) -> Expr:
    """min(x, y) = -max(-x, -y)."""
    return -K.Max2(-term(x), -term(y))


def Max(body: Any, *over: Var) -> Expr:
    """The maximum of body over members of finite sets."""
    out = term(body)
    for v in over:
        out = K.Max(v.sort, B.close_body(v, out))
    return out


def delta(i: Any, j: Any) -> Expr:
    """1 when the indices are equal, else 0."""
    return K.Delta(i, j)


def size(of: str | Term) -> Expr:
    """The number of members of a finite set."""
    return K.Card(Fin(of) if isinstance(of, str) else of)


def empty_word(over: str | Term) -> Term:
    """The word without letters."""
    return K.Nil(Fin(over) if isinstance(over, str) else over)


def append(w: Term, letter: Term) -> Term:
    """The word w followed by a letter."""
    return K.Snoc(w, letter)


# ------------------------------------------------------------------ formulas


_RELATIONS = {LessThan: K.Le, StrictLessThan: K.Lt}
_FLIPPED = {GreaterThan: K.Le, StrictGreaterThan: K.Lt}


def formula(x: Any) -> Term:
    """A kernel formula from a comparison or from Equal, Implies, ForAll, Limit, Derivative.

    Raises: Refused for what is no formula, and for a comparison that SymPy has already decided.
    """
    if isinstance(x, K.Formula):
        return B.check(x)
    for table, step in ((_RELATIONS, 1), (_FLIPPED, -1)):
        if type(x) in table:
            return table[type(x)](*[term(t) for t in x.args[::step]])
    if isinstance(x, (Boolean, bool)):
        raise Refused(
            f"{x} lost its statement: SymPy decided it before we saw it; write AtMost or Less"
        )
    raise Refused(f"{type(x).__name__} is not a formula")


def Equal(left: Any, right: Any) -> Term:
    """left = right."""
    return K.Eq(term(left), term(right))


def AtMost(left: Any, right: Any) -> Term:
    """left <= right (what SymPy's <= would decide by itself can be written so)."""
    return K.Le(term(left), term(right))


def Less(left: Any, right: Any) -> Term:
    """left < right."""
    return K.Lt(term(left), term(right))


def NotZero(x: Any) -> Term:
    """x != 0, that is x = 0 -> 0 < 0."""
    return K.Imp(K.Eq(term(x), 0), K.Lt(0, 0))


def Implies(*parts: Any) -> Term:
    """p -> (q -> ... -> conclusion)."""
    *before, out = [formula(p) for p in parts]
    for p in reversed(before):
        out = K.Imp(p, out)
    return out


def ForAll(vs: Var | Sequence[Var], p: Any) -> Term:
    """For all vs: p."""
    return B.for_all([vs] if isinstance(vs, Var) else list(vs), formula(p))


def Limit(body: Any, v: Var, to: Any, limit: Any) -> Term:
    """body -> limit as v -> `to`: INFINITY, a real term (v != to), or ZERO_RIGHT."""
    F = to if isinstance(to, K.Filter) else K.Near(term(to))
    return K.Lim(F, B.close_body(v, term(body)), term(limit))


INFINITY, ZERO_RIGHT = K.Infinity(), K.Right()


def Derivative(body: Any, v: Var, at: Any, value: Any) -> Term:
    """body, as a function of v, has the derivative `value` at v = at."""
    return K.HasD(B.close_body(v, term(body)), term(at), term(value))
