"""Every analytic fact that is accepted without proof: one function, one formula, one source.

Function symbols, sets and free reals are schematic; `instantiate` gives them values.  Laws of
limits are stated once for each of the three filters: n -> oo, v -> c (v != c), v -> 0+.
"""

from functools import reduce
from inspect import signature
from itertools import pairwise
from typing import Any

from sympy import Integer, Rational, factorial

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Fin, Fn, Term, Var, need

Eq, Le, Lt, Imp, Lim, HasD = K.Eq, K.Le, K.Lt, K.Imp, K.Lim, K.HasD
Exp, Log, Inv, Max2 = K.Exp, K.Log, K.Inv, K.Max2
x, y, c, L, M, k, v, w = (Var(name, REAL) for name in "xycLMkvw")
delta = Var("delta", REAL)
n, N, t, X, a = Var("n", NAT), Var("N", NAT), Var("t", NAT), Fin("X"), Var("a", Fin("X"))
f, g, h = (Fn(name, REAL, REAL) for name in "fgh")
OO = K.Infinity()


def formula(name: str, about: Term | None = None) -> Term:
    """The formula of the axiom `name`; `about` is its filter or its order, where it has one."""
    need(name in names(), "there is no axiom {}", name)
    law = globals()[name]
    return B.check(law(about) if signature(law).parameters else law())


def names() -> list[str]:
    """The names of all axioms, in the order of this file."""
    own = [name for name, law in globals().items() if getattr(law, "__module__", "") == __name__]
    return [name for name in own if name[0] != "_" and name not in ("formula", "names")]


def _when(*parts: Term) -> Term:
    """p -> (q -> ... -> conclusion)."""
    return reduce(lambda q, p: Imp(p, q), reversed(parts[:-1]), parts[-1])


def _var(F: Any) -> Var:
    # No other point than the schematic c: it could mention a variable that the axiom binds.
    need(F in (OO, K.Near(c), K.Right()), "this axiom is about oo, c or 0+, got {}", F)
    return n if F == OO else v


def _lim(F: Any, body: Term, limit: Any) -> Term:
    return Lim(F, B.close_body(_var(F), body), limit)


def _functions(F: Any) -> tuple[Any, Any]:
    i = _var(F)
    return Fn("f", REAL, i.sort)(i), Fn("g", REAL, i.sort)(i)


def _eventually(F: Any, p: Term) -> tuple[Term, ...]:
    """p for all v that are late enough, or near enough to the point.  delta > 0 is a premise of
    its own: "0 < delta -> ..." would be vacuous for a negative delta."""
    if F == OO:
        return (B.for_all([n], Imp(Le(N, n), p)),)
    away = (v - F.args[0]) ** 2 if isinstance(F, K.Near) else v
    return Lt(0, delta), B.for_all([v], _when(Lt(0, away), Lt(away, delta), p))


def _has(body: Term, at: Term, d: Any) -> Term:
    return HasD(B.close_body(x, body), at, d)


# ------------------------------------------------------------------ exp and log
# Source for this block: Rudin, Principles of Mathematical Analysis, 3rd ed., chapter 8.


def exponential_of_sum() -> Term:
    """exp(x + y) = exp(x) exp(y).  Rudin 8.26."""
    return B.for_all([x, y], Eq(Exp(x + y), Exp(x) * Exp(y)))


def exponential_is_positive() -> Term:
    """0 < exp(x).  Rudin 8.27."""
    return B.for_all([x], Lt(0, Exp(x)))


def exponential_of_logarithm() -> Term:
    """exp(log x) = x for x > 0.  Rudin 8.36."""
    return B.for_all([x], Imp(Lt(0, x), Eq(Exp(Log(x)), x)))


def logarithm_of_exponential() -> Term:
    """log(exp x) = x.  Rudin 8.37."""
    return B.for_all([x], Eq(Log(Exp(x)), x))


def logarithm_bound() -> Term:
    """log x <= x - 1 for x > 0.  Hardy, Littlewood, Polya, Inequalities, 142."""
    return B.for_all([x], Imp(Lt(0, x), Le(Log(x), x - 1)))


# ------------------------------------------------------------------ limits
# Source for this block, unless stated: Rudin, chapters 3 and 4.


def limit_of_constant(F: Any) -> Term:
    """y -> y."""
    return _lim(F, y, y)


def limit_of_identity(F: Any) -> Term:
    """v -> c as v -> c; v -> 0 as v -> 0+."""
    need(F != OO, "n has no limit as n -> oo")
    return _lim(F, v, F.args[0] if isinstance(F, K.Near) else 0)


def limit_of_sum(F: Any) -> Term:
    """f -> L and g -> M give f + g -> L + M.  Rudin 3.3, 4.4."""
    p, q = _functions(F)
    return _when(_lim(F, p, L), _lim(F, q, M), _lim(F, p + q, L + M))


def limit_of_product(F: Any) -> Term:
    """f -> L and g -> M give f g -> L M.  Rudin 3.3, 4.4."""
    p, q = _functions(F)
    return _when(_lim(F, p, L), _lim(F, q, M), _lim(F, p * q, L * M))


def limit_of_reciprocal(F: Any) -> Term:
    """f -> L with L != 0 gives 1/f -> 1/L.  Rudin 3.3, 4.4."""
    p, _ = _functions(F)
    return _when(_lim(F, p, L), Imp(Eq(L, 0), Lt(0, 0)), _lim(F, Inv(p), Inv(L)))


def limit_of_finite_sum(F: Any) -> Term:
    """f_a -> l_a for every a gives sum_a f_a -> sum_a l_a.  Induction on Rudin 3.3, 4.4."""
    p, limit = Fn("f", REAL, _var(F).sort, X)(_var(F), a), Fn("l", REAL, X)(a)
    whole = _lim(F, B.bind_sum(p, a, X), B.bind_sum(limit, a, X))
    return Imp(B.for_all([a], _lim(F, p, limit)), whole)


def limit_of_shift() -> Term:
    """f(n) -> L gives f(n + 1) -> L.  Rudin 3.5."""
    p, _ = _functions(OO)
    return Imp(_lim(OO, p, L), _lim(OO, B.substitute(p, {n: n + 1}), L))


def limit_is_unique(F: Any) -> Term:
    """f -> L and f -> M give L = M.  Rudin 3.2, 4.2."""
    p, _ = _functions(F)
    return _when(_lim(F, p, L), _lim(F, p, M), Eq(L, M))


def limit_keeps_order(F: Any) -> Term:
    """f <= g eventually, f -> L and g -> M give L <= M.  Rudin 3.19."""
    p, q = _functions(F)
    return _when(_lim(F, p, L), _lim(F, q, M), *_eventually(F, Le(p, q)), Le(L, M))


def limit_by_squeezing(F: Any) -> Term:
    """|f - L| <= |g| eventually and g -> 0 give f -> L.  Rudin 3.19."""
    p, q = _functions(F)
    close = Le(Max2(p - L, L - p), Max2(q, -q))
    return _when(_lim(F, q, 0), *_eventually(F, close), _lim(F, p, L))


def limit_is_local(F: Any) -> Term:
    """f = g eventually and f -> L give g -> L.  Definition of a limit, Rudin 3.1, 4.1."""
    p, q = _functions(F)
    return _when(_lim(F, p, L), *_eventually(F, Eq(p, q)), _lim(F, q, L))


def limit_of_composition(F: Any) -> Term:
    """g -> M and h continuous at M give h(g) -> h(M).  Rudin 4.7."""
    _, q = _functions(F)
    continuous = Lim(K.Near(M), B.close_body(v, h(v)), h(M))
    return _when(_lim(F, q, M), continuous, _lim(F, h(q), h(M)))


def limit_of_reciprocal_count() -> Term:
    """1/(n + 1) -> 0.  Rudin 3.20."""
    return _lim(OO, Inv(n + 1), 0)


def dominated_series_converges() -> Term:
    """|f(n)| <= g(n) and a convergent series of g give a convergent series of f.  Rudin 3.25."""
    p, q = (B.substitute(e, {n: t}) for e in _functions(OO))
    below = B.for_all([t], Le(Max2(p, -p), q))
    of_p, of_q = (B.bind_sum(e, t, K.Range(n)) for e in (p, q))
    return _when(below, _lim(OO, of_q, L), _lim(OO, of_p, K.Series(B.close_body(t, p))))


# ------------------------------------------------------------------ derivatives
# Source for this block: Rudin, chapter 5.


def _quotient() -> Term:
    return Lim(K.Near(c), B.close_body(x, (f(x) - f(c)) * Inv(x - c)), k)


def derivative_gives_quotient() -> Term:
    """f'(c) = k gives (f(x) - f(c))/(x - c) -> k.  Definition, Rudin 5.1."""
    return Imp(_has(f(x), c, k), _quotient())


def quotient_gives_derivative() -> Term:
    """(f(x) - f(c))/(x - c) -> k gives f'(c) = k.  Definition, Rudin 5.1."""
    return Imp(_quotient(), _has(f(x), c, k))


def derivative_of_linear() -> Term:
    """(k x + y)' = k.  Rudin 5.4."""
    return _has(k * x + y, c, k)


def derivative_of_sum() -> Term:
    """(f + g)' = f' + g'.  Rudin 5.3."""
    return _when(_has(f(x), c, L), _has(g(x), c, M), _has(f(x) + g(x), c, L + M))


def derivative_of_product() -> Term:
    """(f g)' = f' g + f g'.  Rudin 5.3."""
    return _when(_has(f(x), c, L), _has(g(x), c, M), _has(f(x) * g(x), c, L * g(c) + f(c) * M))


def derivative_of_reciprocal() -> Term:
    """(1/x)' = -1/x^2 at c != 0.  Rudin 5.3."""
    return Imp(Imp(Eq(c, 0), Lt(0, 0)), _has(Inv(x), c, -(Inv(c) ** 2)))


def derivative_of_finite_sum() -> Term:
    """(sum_a f_a)' = sum_a f_a'.  Induction on Rudin 5.3."""
    p, d = Fn("f", REAL, REAL, X)(x, a), Fn("l", REAL, X)(a)
    whole = _has(B.bind_sum(p, a, X), c, B.bind_sum(d, a, X))
    return Imp(B.for_all([a], _has(p, c, d)), whole)


def derivative_of_composition() -> Term:
    """(f(g))' = f'(g) g'.  Rudin 5.5."""
    return _when(_has(g(x), c, L), _has(f(x), g(c), M), _has(f(g(x)), c, M * L))


def derivative_of_exponential() -> Term:
    """exp' = exp.  Rudin 8.26."""
    return _has(Exp(x), c, Exp(c))


def derivative_of_logarithm() -> Term:
    """log' c = 1/c for c > 0.  Rudin 8.37."""
    return Imp(Lt(0, c), _has(Log(x), c, Inv(c)))


def nonnegative_derivative_is_monotone() -> Term:
    """y <= w and f' >= 0 on [y, w] give f(y) <= f(w).  Mean value theorem, Rudin 5.11."""
    between = [
        B.for_all([v], _when(Le(y, v), Le(v, w), p)) for p in (_has(f(x), v, g(v)), Le(0, g(v)))
    ]
    return _when(Le(y, w), *between, Le(f(y), f(w)))


def taylor_with_peano_remainder(order: Any) -> Term:
    """f_0' = f_1, ..., f_{m-1}' = f_m near c, the last one at c only, give that the remainder
    (f_0(x) - sum_{j<=m} f_j(c) (x-c)^j/j!)/(x-c)^m -> 0.  Hardy, Pure Mathematics, 151."""
    need(isinstance(order, Integer) and 1 <= order <= 4, "Taylor at a literal order 1 to 4")
    m, d = int(order), [Fn(f"f{j}", REAL, REAL) for j in range(int(order) + 1)]
    slopes = [Imp(Lt((v - c) ** 2, delta), _has(p(x), v, q(v))) for p, q in pairwise(d[:-1])]
    jet = sum(d[j](c) * (x - c) ** j * Rational(1, factorial(j)) for j in range(m + 1))
    rest = Lim(K.Near(c), B.close_body(x, (d[0](x) - jet) * Inv(x - c) ** m), 0)
    near = [B.for_all([v], p) for p in slopes]
    return _when(Lt(0, delta), *near, _has(d[m - 1](x), c, d[m](c)), rest)


# ------------------------------------------------------------------ finite sets


def finite_maximum_is_attained() -> Term:
    """max_X p bounds every value of p, and is one of them (rule `by_maximum`, which is tagged with
    this name).  Halmos, Naive Set Theory, section 13 (finite sets)."""
    p = Fn("f", REAL, X)(a)
    return B.for_all([a], Le(p, K.Max(X, B.close_body(a, p))))
