"""Every analytic fact that is accepted without proof: one function, one formula, one source.

Function symbols, sets and free reals are schematic; `instantiate` gives them values.  Laws of
limits are stated once for each of the three filters: n -> oo, v -> c (v != c), v -> 0+.
"""

from __future__ import annotations

from inspect import signature
from types import FunctionType

from sympy import Basic, Integer, Rational, factorial

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import (
    NAT,
    REAL,
    Eq,
    Exp,
    Fin,
    Fn,
    HasD,
    Imp,
    Inv,
    Le,
    Lim,
    Log,
    Lt,
    Max2,
    Var,
    need,
)

x, y, c, L, M, delta, k = (Var(n, REAL) for n in ("x", "y", "c", "L", "M", "delta", "k"))
a = Var("a", Fin("X"))
n, N = Var("n", NAT), Var("N", NAT)


def formula(name: str, about: Basic | None = None) -> Basic:
    """The formula of the axiom `name`; `about` is its filter or its order, where it has one."""
    law = globals().get(name)
    known = isinstance(law, FunctionType) and name in names()
    need(known, "there is no axiom {}", name)
    return B.check(law(about) if signature(law).parameters else law())


def names() -> list[str]:
    """The names of all axioms, in the order of this file."""
    own = [
        f for f in globals().values() if isinstance(f, FunctionType) and f.__module__ == __name__
    ]
    return [f.__name__ for f in own if f.__name__ not in _TOOLS and not f.__name__.startswith("_")]


_TOOLS = ("formula", "names", "when")


def when(*parts: Basic) -> Basic:
    """p -> (q -> ... -> conclusion)."""
    *before, out = parts
    for p in reversed(before):
        out = Imp(p, out)
    return out


def _var(F: Basic | None) -> Var:
    need(isinstance(F, K.Filter), "this axiom is about a filter, got {}", F)
    return Var("v", NAT if isinstance(F, K.Infinity) else REAL)


def _lim(F: Basic, v: Var, f: Basic, limit: Basic) -> Basic:
    return Lim(F, B.close_body(v, K.as_term(f)), limit)


def _eventually(F: Basic, v: Var, p: Basic) -> tuple[Basic, ...]:
    """p for all v that are late enough, or near enough to the point.  delta > 0 is a premise of
    its own: "0 < delta -> ..." would be vacuous for a negative delta."""
    if isinstance(F, K.Infinity):
        return (B.for_all([v], Imp(Le(N, v), p)),)
    at = v - F.args[0] if isinstance(F, K.Near) else v
    away = Lt(0, at**2) if isinstance(F, K.Near) else Lt(0, v)
    near = Lt(at**2, delta) if isinstance(F, K.Near) else Lt(v, delta)
    return Lt(0, delta), B.for_all([v], when(away, near, p))


def _has(f: Basic, v: Var, at: Basic, d: Basic) -> Basic:
    return HasD(B.close_body(v, K.as_term(f)), at, d)


def _between(v: Var, p: Basic) -> Basic:
    return B.for_all([v], when(Le(x, v), Le(v, y), p))


# ------------------------------------------------------------------ exp and log
# Source for this block: Rudin, Principles of Mathematical Analysis, 3rd ed., chapter 8.


def exponential_of_sum() -> Basic:
    """exp(x + y) = exp(x) exp(y).  Rudin 8.26."""
    return B.for_all([x, y], Eq(Exp(x + y), Exp(x) * Exp(y)))


def exponential_is_positive() -> Basic:
    """0 < exp(x).  Rudin 8.27."""
    return B.for_all([x], Lt(0, Exp(x)))


def exponential_of_logarithm() -> Basic:
    """exp(log x) = x for x > 0.  Rudin 8.36."""
    return B.for_all([x], Imp(Lt(0, x), Eq(Exp(Log(x)), x)))


def logarithm_of_exponential() -> Basic:
    """log(exp x) = x.  Rudin 8.37."""
    return B.for_all([x], Eq(Log(Exp(x)), x))


def logarithm_bound() -> Basic:
    """log x <= x - 1 for x > 0.  Hardy, Littlewood, Polya, Inequalities, 142."""
    return B.for_all([x], Imp(Lt(0, x), Le(Log(x), x - 1)))


# ------------------------------------------------------------------ limits
# Source for this block, unless stated: Rudin, chapters 3 and 4.


def limit_of_constant(F: Basic) -> Basic:
    """y -> y."""
    return _lim(F, _var(F), y, y)


def limit_of_identity(F: Basic) -> Basic:
    """v -> c as v -> c; v -> 0 as v -> 0+."""
    v = _var(F)
    need(not isinstance(F, K.Infinity), "n has no limit as n -> oo")
    return _lim(F, v, v, F.args[0] if isinstance(F, K.Near) else Integer(0))


def limit_of_sum(F: Basic) -> Basic:
    """f -> L and g -> M give f + g -> L + M.  Rudin 3.3, 4.4."""
    v, f, g = _functions(F)
    return when(_lim(F, v, f, L), _lim(F, v, g, M), _lim(F, v, f + g, L + M))


def limit_of_product(F: Basic) -> Basic:
    """f -> L and g -> M give f g -> L M.  Rudin 3.3, 4.4."""
    v, f, g = _functions(F)
    return when(_lim(F, v, f, L), _lim(F, v, g, M), _lim(F, v, f * g, L * M))


def limit_of_reciprocal(F: Basic) -> Basic:
    """f -> L with L != 0 gives 1/f -> 1/L.  Rudin 3.3, 4.4."""
    v, f, _ = _functions(F)
    nonzero = Imp(Eq(L, 0), Lt(0, 0))
    return when(_lim(F, v, f, L), nonzero, _lim(F, v, Inv(f), Inv(L)))


def limit_of_finite_sum(F: Basic) -> Basic:
    """f_a -> l_a for every a gives sum_a f_a -> sum_a l_a.  Induction on Rudin 3.3, 4.4."""
    v, X = _var(F), Fin("X")
    f, limit = Fn("f", REAL, v.sort, X)(v, a), Fn("l", REAL, X)(a)
    each = B.for_all([a], _lim(F, v, f, limit))
    return Imp(each, _lim(F, v, B.bind_sum(f, a, X), B.bind_sum(limit, a, X)))


def limit_of_shift() -> Basic:
    """f(n) -> L gives f(n + 1) -> L.  Rudin 3.5."""
    f = Fn("f", REAL, NAT)
    return Imp(_lim(K.Infinity(), n, f(n), L), _lim(K.Infinity(), n, f(n + 1), L))


def limit_is_unique(F: Basic) -> Basic:
    """f -> L and f -> M give L = M.  Rudin 3.2, 4.2."""
    v, f, _ = _functions(F)
    return when(_lim(F, v, f, L), _lim(F, v, f, M), Eq(L, M))


def limit_keeps_order(F: Basic) -> Basic:
    """f <= g eventually, f -> L and g -> M give L <= M.  Rudin 3.19."""
    v, f, g = _functions(F)
    return when(_lim(F, v, f, L), _lim(F, v, g, M), *_eventually(F, v, Le(f, g)), Le(L, M))


def limit_by_squeezing(F: Basic) -> Basic:
    """|f - L| <= |g| eventually and g -> 0 give f -> L.  Rudin 3.19."""
    v, f, g = _functions(F)
    close = Le(Max2(f - L, L - f), Max2(g, -g))
    return when(_lim(F, v, g, Integer(0)), *_eventually(F, v, close), _lim(F, v, f, L))


def limit_is_local(F: Basic) -> Basic:
    """f = g eventually and f -> L give g -> L.  Definition of a limit, Rudin 3.1, 4.1."""
    v, f, g = _functions(F)
    return when(_lim(F, v, f, L), *_eventually(F, v, Eq(f, g)), _lim(F, v, g, L))


def limit_of_composition(F: Basic) -> Basic:
    """g -> M and h continuous at M give h(g) -> h(M).  Rudin 4.7."""
    v, _, g = _functions(F)
    h = Fn("h", REAL, REAL)
    continuous = _lim(K.Near(M), x, h(x), h(M))
    return when(_lim(F, v, g, M), continuous, _lim(F, v, h(g), h(M)))


def limit_of_reciprocal_count() -> Basic:
    """1/(n + 1) -> 0.  Rudin 3.20."""
    return _lim(K.Infinity(), n, Inv(n + 1), Integer(0))


def dominated_series_converges() -> Basic:
    """|f(n)| <= g(n) and a convergent series of g give a convergent series of f.  Rudin 3.25."""
    f, g, t = Fn("f", REAL, NAT), Fn("g", REAL, NAT), Var("t", NAT)
    partial = lambda h: B.bind_sum(h(t), t, K.Range(n))  # noqa: E731
    dominated = B.for_all([n], Le(Max2(f(n), -f(n)), g(n)))
    total = K.Series(B.close_body(t, f(t)))
    limits = (_lim(K.Infinity(), n, partial(g), L), _lim(K.Infinity(), n, partial(f), total))
    return when(dominated, *limits)


def _functions(F: Basic) -> tuple[Var, Basic, Basic]:
    v = _var(F)
    return v, Fn("f", REAL, v.sort)(v), Fn("g", REAL, v.sort)(v)


# ------------------------------------------------------------------ derivatives
# Source for this block: Rudin, chapter 5.


def derivative_gives_quotient() -> Basic:
    """f'(c) = k gives (f(x) - f(c))/(x - c) -> k.  Definition, Rudin 5.1."""
    f = Fn("f", REAL, REAL)
    quotient = _lim(K.Near(c), x, (f(x) - f(c)) * Inv(x - c), k)
    return Imp(_has(f(x), x, c, k), quotient)


def quotient_gives_derivative() -> Basic:
    """(f(x) - f(c))/(x - c) -> k gives f'(c) = k.  Definition, Rudin 5.1."""
    f = Fn("f", REAL, REAL)
    quotient = _lim(K.Near(c), x, (f(x) - f(c)) * Inv(x - c), k)
    return Imp(quotient, _has(f(x), x, c, k))


def derivative_of_linear() -> Basic:
    """(k x + y)' = k.  Rudin 5.4."""
    return _has(k * x + y, x, c, k)


def derivative_of_sum() -> Basic:
    """(f + g)' = f' + g'.  Rudin 5.3."""
    f, g = Fn("f", REAL, REAL), Fn("g", REAL, REAL)
    return when(_has(f(x), x, c, L), _has(g(x), x, c, M), _has(f(x) + g(x), x, c, L + M))


def derivative_of_product() -> Basic:
    """(f g)' = f' g + f g'.  Rudin 5.3."""
    f, g = Fn("f", REAL, REAL), Fn("g", REAL, REAL)
    product = _has(f(x) * g(x), x, c, L * g(c) + f(c) * M)
    return when(_has(f(x), x, c, L), _has(g(x), x, c, M), product)


def derivative_of_reciprocal() -> Basic:
    """(1/x)' = -1/x^2 at c != 0.  Rudin 5.3."""
    return Imp(Imp(Eq(c, 0), Lt(0, 0)), _has(Inv(x), x, c, -(Inv(c) ** 2)))


def derivative_of_finite_sum() -> Basic:
    """(sum_a f_a)' = sum_a f_a'.  Induction on Rudin 5.3."""
    X = Fin("X")
    f, d = Fn("f", REAL, REAL, X), Fn("l", REAL, X)
    whole = _has(B.bind_sum(f(x, a), a, X), x, c, B.bind_sum(d(a), a, X))
    return Imp(B.for_all([a], _has(f(x, a), x, c, d(a))), whole)


def derivative_of_composition() -> Basic:
    """(f(g))' = f'(g) g'.  Rudin 5.5."""
    f, g = Fn("f", REAL, REAL), Fn("g", REAL, REAL)
    return when(_has(g(x), x, c, L), _has(f(x), x, g(c), M), _has(f(g(x)), x, c, M * L))


def derivative_of_exponential() -> Basic:
    """exp' = exp.  Rudin 8.26."""
    return _has(Exp(x), x, c, Exp(c))


def derivative_of_logarithm() -> Basic:
    """log' c = 1/c for c > 0.  Rudin 8.37."""
    return Imp(Lt(0, c), _has(Log(x), x, c, Inv(c)))


def nonnegative_derivative_is_monotone() -> Basic:
    """x <= y and f' >= 0 on [x, y] give f(x) <= f(y).  Mean value theorem, Rudin 5.11."""
    f, g, v = Fn("f", REAL, REAL), Fn("g", REAL, REAL), Var("v", REAL)
    w = Var("w", REAL)
    slope = _between(v, _has(f(w), w, v, g(v)))
    return when(Le(x, y), slope, _between(v, Le(0, g(v))), Le(f(x), f(y)))


def taylor_with_peano_remainder(order: Basic) -> Basic:
    """f_0' = f_1, ..., f_{m-1}' = f_m near c except that the last is asked at c only: the
    remainder (f(x) - sum_{j<=m} f_j(c) (x-c)^j/j!)/(x-c)^m -> 0.  Hardy, Pure Mathematics, 151."""
    need(isinstance(order, Integer) and 1 <= order <= 4, "Taylor at a literal order 1 to 4")
    m, v = int(order), Var("v", REAL)
    f = [Fn(f"f{j}", REAL, REAL) for j in range(m + 1)]
    near = [
        B.for_all([v], Imp(Lt((v - c) ** 2, delta), _has(f[j](x), x, v, f[j + 1](v))))
        for j in range(m - 1)
    ]
    last = _has(f[m - 1](x), x, c, f[m](c))
    jet = sum(f[j](c) * (x - c) ** j * Rational(1, factorial(j)) for j in range(m + 1))
    rest = _lim(K.Near(c), x, (f[0](x) - jet) * Inv(x - c) ** m, Integer(0))
    return when(Lt(0, delta), *near, last, rest)


# ------------------------------------------------------------------ finite sets


def finite_maximum_is_attained() -> Basic:
    """max_X f bounds every value of f, and is one of them (rule `by_maximum`, which is tagged with
    this name).  Halmos, Naive Set Theory, section 13 (finite sets)."""
    f = Fn("f", REAL, Fin("X"))
    return B.for_all([a], Le(f(a), K.Max(Fin("X"), B.close_body(a, f(a)))))
