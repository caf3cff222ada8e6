"""Binders: opening, closing, substitution, and the check that a term is one of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from itertools import count
from typing import Any

from sympy import Add, Basic, Expr, Float, Mul, Pow, Rational, preorder_traversal
from sympy.core.symbol import Str

from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Term, Var, Variable, need

# For each argument of a head that binds a variable: 1 when it lies under the binder.
_BINDS: dict[type[Basic], tuple[int, ...]] = {K.Sum: (0, 1), K.Max: (0, 1), K.Series: (1,)}
_BINDS |= {K.Lam: (0, 1), K.All: (0, 1), K.Lim: (0, 1, 0), K.HasD: (1, 0, 0)}


def binds(e: Term) -> tuple[int, ...]:
    """For each argument, 1 when it lies under the head's own binder."""
    return _BINDS.get(type(e)) or (0,) * len(e.args)


def scope_sort(e: Term) -> Term:
    """The sort of the variable that a binding head binds."""
    if isinstance(e, (K.Sum, K.Max)):
        return K.member_sort(e.args[0])
    if isinstance(e, (K.All, K.Lam)):
        return e.args[0]
    sequence = isinstance(e, K.Series) or isinstance(e.args[0], K.Infinity)
    return NAT if sequence else REAL


@cache
def loose(e: Term) -> int:
    """One more than the largest de Bruijn index that escapes e; 0 for a closed term."""
    if isinstance(e, Bound):
        return e.tag + 1
    return max((max(loose(x) - b, 0) for x, b in zip(e.args, binds(e), strict=True)), default=0)


@cache
def symbols(e: Term) -> frozenset[Term]:
    """What `substitute` may replace in e: variables, function symbols and sets, in sorts too."""
    own = [e] if isinstance(e, (Variable, K.Fn, K.Fin)) else []
    below = (e.sort,) if isinstance(e, Variable) else e.args
    return frozenset(own).union(*map(symbols, below))


@cache
def variables(e: Term) -> frozenset[Variable]:
    """The free variables and slots of e."""
    return frozenset(v for v in symbols(e) if isinstance(v, (Var, K.Slot)))


subterms = preorder_traversal


def _bound(e: Term, depth: int, leaf: Callable[[Bound, int], Term]) -> Term:
    """Replace each index that escapes `depth` binders by `leaf(index, binders around it)`."""
    if loose(e) <= depth:
        return e
    if isinstance(e, Bound):
        return leaf(e, depth)
    return e.func(*[_bound(x, depth + b, leaf) for x, b in zip(e.args, binds(e), strict=True)])


@K.shared
def open_body(body: Term, t: Term) -> Term:
    """The body of a binder with t for its variable; t may itself stand under outer binders."""

    def leaf(e: Bound, depth: int) -> Term:
        if e.tag > depth:
            return Bound(e.tag - 1, e.sort)
        return _bound(t, 0, lambda b, _: Bound(b.tag + depth, b.sort))

    return _bound(body, 0, leaf)


@K.shared
def close_body(v: Variable, e: Any, depth: int = 0) -> Term:
    """The inverse of open_body: abstract v."""
    e = K.as_term(e)
    if v not in variables(e):
        return e
    if e == v:
        return Bound(depth, v.sort)
    return e.func(*[close_body(v, x, depth + b) for x, b in zip(e.args, binds(e), strict=True)])


_fresh = count(1)


def fresh(sort: Term) -> Var:
    """A variable tagged by a number: authors and certificates can only write strings."""
    return Var(next(_fresh), sort)


def opened(e: Term, v: Variable) -> Term:
    """The body of a binding head for the variable v."""
    return open_body(e.args[binds(e).index(1)], v)


def bind_sum(body: Term, v: Variable, X: Term) -> K.Sum:
    """The sum of body over v in X."""
    need(v.sort == K.member_sort(X), "{} does not range over {}", v, X)
    return K.Sum(X, close_body(v, body))


def for_all(vs: Sequence[Variable], p: Term) -> Term:
    """For all vs: p (the first is outermost)."""
    for v in reversed(vs):
        p = K.All(v.sort, close_body(v, p))
    return p


def strip_all(p: Term) -> tuple[list[Var], Term]:
    """Open the leading quantifiers with fresh variables."""
    vs: list[Var] = []
    while isinstance(p, K.All):
        vs.append(fresh(p.args[0]))
        p = open_body(p.args[1], vs[-1])
    return vs, p


def substitute(e: Term, m: Mapping[Term, Term]) -> Term:
    """Replace free variables, function symbols (by `Lam`s or symbols) and `Fin` sets, all at once.

    The values are closed, so nothing is captured.  A set changes the sorts that mention it.
    """

    @cache
    def go(x: Any) -> Term:
        if symbols(x).isdisjoint(m):
            return x
        if x in m or isinstance(x, Variable):
            return m[x] if x in m else type(x)(x.tag, go(x.sort))
        new = [go(y) for y in x.args]
        if isinstance(x, K.App) and not isinstance(new[0], K.Fn):
            # `instantiate` sees to it that an abstraction takes just these arguments.
            return reduce(lambda h, y: open_body(h.args[1], y), new[1:], new[0])
        return x.func(*new)

    return go(e)


# ------------------------------------------------------------------ which terms are ours

# For each head, what its arguments are: r a real, n a natural, f a formula, s a Fin or Prod,
# o a sort, F a filter, i an index, * anything.  A power wants a natural exponent.
SHAPE: dict[type[Basic], str] = {K.Inv: "r", K.Exp: "r", K.Log: "r", K.Max2: "rr", Pow: "rn"}
SHAPE |= {K.Delta: "ii", K.Card: "s", K.Sum: "*r", K.Max: "sr", K.Series: "r", K.Nil: "s"}
SHAPE |= {K.Snoc: "ii", K.Pair: "ii", K.Lam: "o*", K.Eq: "rr", K.Le: "rr", K.Lt: "rr"}
SHAPE |= {K.Imp: "ff", K.All: "of", K.Lim: "Frr", K.HasD: "rrr", K.Near: "r", K.Infinity: ""}
SHAPE |= {K.Right: "", K.Prod: "ss", K.WordsOf: "s", K.Range: "n", K.Words: "sn"}
_KINDS: dict[str, Callable[[Term], bool]] = {
    "r": K.is_real,
    "n": lambda x: isinstance(x, Expr) and K.sort_of(x) == NAT,
    "f": lambda x: isinstance(x, K.Formula),
    "s": lambda x: isinstance(x, (K.Fin, K.Prod)),
    "o": lambda x: isinstance(x, K.Sort) and not isinstance(x, K.Fn),
    "F": lambda x: isinstance(x, K.Filter),
    "i": lambda x: isinstance(x, Expr) and K.sort_of(x) != REAL,
    "*": lambda x: True,
}


@cache
def check(e: Any, around: tuple[Term, ...] = ()) -> Term:
    """Return e when it is closed under the binders `around`, and every head in it is allowed and
    well-sorted; otherwise refuse it by name.  Nothing is built: SymPy might drop a fault."""
    inner = (*around, scope_sort(e)) if any(binds(e)) else around
    for x, b in zip(e.args, binds(e), strict=True):
        _ = isinstance(x, Str) or check(x, inner if b else around)
    a, shape, sort = e.args, SHAPE.get(type(e)), _KINDS["o"]
    if isinstance(e, (Add, Mul)):
        fit = all(map(K.is_real, a))
    elif isinstance(e, K.App):
        f: Any = a[0]
        fit = (
            isinstance(f, K.Fn) and len(a) == len(f.args) - 1 and all(map(K.fits, a[1:], f.domain))
        )
    elif isinstance(e, Bound):
        fit = type(e.tag) is int and 0 <= e.tag < len(around) and e.sort == around[-1 - e.tag]
    elif isinstance(e, Var):
        fit = isinstance(e.tag, (str, int)) and sort(check(e.sort))
    elif shape is not None:
        fit = len(a) == len(shape) and all(map(lambda k, x: _KINDS[k](x), shape, a))
    elif isinstance(e, (K.Fin, K.Fn)):
        fit = isinstance(a[0], Str) and all(map(sort, a[1:])) and (len(a) < 2) == (type(e) is K.Fin)
    else:
        number = isinstance(e, Rational) and not isinstance(e, Float) and bool(e.is_finite)
        fit = number or e in (REAL, NAT)
    if fit and isinstance(e, (K.Delta, K.Snoc, K.Pair)):
        first, second = map(K.sort_of, a)
        expected = second if isinstance(e, K.Delta) else K.WordsOf(second)
        finite = isinstance(first, (K.Fin, K.Prod)) and isinstance(second, (K.Fin, K.Prod))
        fit = finite if isinstance(e, K.Pair) else first == expected
    need(fit, "{} is not a term of the kernel with these arguments: {}", type(e).__name__, a)
    return e
