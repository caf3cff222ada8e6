"""Opening, closing and substituting never capture; bound names do not exist."""

from __future__ import annotations

from random import Random

import pytest
from sympy import Integer

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Bound, Eq, Fin, Fn, Lam, Prod, Range, Var, Words
from tests.derivations.kernel.applying import F, G, X, Y, a, b, c, f, m, n, p, w, x, y, z
from tests.derivations.kernel.evaluate import Model
from tests.derivations.kernel.random_terms import NAMES, Source


def test_terms_that_differ_in_bound_names_are_the_same_object() -> None:
    assert B.bind_sum(F(a), a, X) == B.bind_sum(F(b), b, X)
    assert B.for_all([x, y], Eq(f(x), y)) == B.for_all([y, x], Eq(f(y), x))
    assert B.for_all([x, y], Eq(x, y)) != B.for_all([x, y], Eq(y, x))


def test_the_order_of_binders_matters_where_they_differ() -> None:
    left = B.bind_sum(B.bind_sum(G(a, b), a, X), b, X)
    right = B.bind_sum(B.bind_sum(G(b, a), a, X), b, X)
    assert left != right


def test_opening_undoes_closing() -> None:
    rng = Random(7)
    for _ in range(200):
        source = Source(rng)
        v = source.variable(rng.choice([*NAMES]), ())
        t = source.real(3, [v, v])
        assert B.open_body(B.close_body(v, t), v) == t
        assert v not in B.variables(B.close_body(v, t))


def test_substitution_is_evaluation_in_a_changed_model() -> None:
    """value(t[v := s]) = value(t) where v has the value of s: fails as soon as a name is caught."""
    compared = 0
    for seed in range(300):
        rng = Random(seed)
        source = Source(rng, ["add", "multiply", "sum", "max", "delta", "max2", "inv"])
        v = source.variable(rng.choice([*NAMES]), ())
        t = source.real(3, [v, v])
        s = source.real(1) if v.sort == REAL else source.index(v.sort, 1, ())
        model = Model(seed, largest=2)
        there = model.value(B.substitute(t, {v: s}))
        changed = Model(seed, {v: model.value(s)}, largest=2)
        assert changed.value(t) == there
        compared += v in B.variables(t) and changed.value(t) != model.value(t)
    assert compared > 20


def test_substitution_under_a_binder_keeps_the_free_name_free() -> None:
    """Hazards: Sum(x*a, (a, 1, n)).subs(x, a) and Sum(x[j]*x[i], (i, 1, 2)).subs(j, i)."""
    total = B.bind_sum(x * F(a), a, X)
    assert B.substitute(total, {x: F(a)}) == B.bind_sum(F(a) * F(b), b, X)
    assert B.substitute(B.bind_sum(F(a) * F(b), a, X), {b: a}) == B.bind_sum(F(a) * F(c_), c_, X)


c_ = Var("c", X)


def test_substitution_is_simultaneous() -> None:
    assert B.substitute(x + 2 * y, {x: y, y: x}) == y + 2 * x
    h = Lam(X, F(Bound(0, X)) + 1)
    assert B.substitute(F(a), {F: h}) == F(a) + 1


def test_a_function_value_may_use_its_own_name() -> None:
    """f := x -> f(x) + f(f(x)) is unfolded once."""
    h = Lam(REAL, f(Bound(0, REAL)) + f(f(Bound(0, REAL))))
    assert B.substitute(f(x), {f: h}) == f(x) + f(f(x))


def test_a_function_without_arguments_has_a_term_for_its_value() -> None:
    k = Fn("k", REAL)
    assert B.substitute(f(k()) + y, {k: x + 1}) == f(x + 1) + y
    assert B.substitute(f(k()) + y, {k: Fn("l", REAL)}) == f(Fn("l", REAL)()) + y


def test_what_a_substitution_reaches_is_found_in_sorts_too() -> None:
    assert B.symbols(F(a)) == {F, a, X}
    assert B.symbols(B.bind_sum(x, c, Y)) == {x, Y}
    untouched = F(a) + f(x)
    assert B.substitute(untouched, {Fn("F", REAL, Y): F, y: z, Y: X}) is untouched


def test_a_set_changes_the_sorts_of_bound_and_free_variables() -> None:
    t = B.bind_sum(F(a) * F(b), a, X)
    F2, b2, p2 = Fn("F", REAL, Prod(X, Y)), Var("b", Prod(X, Y)), Var("q", Prod(X, Y))
    assert B.check(B.substitute(t, {X: Prod(X, Y)})) == B.bind_sum(F2(p2) * F2(b2), p2, Prod(X, Y))
    word = K.Snoc(w, a)
    assert K.sort_of(B.substitute(word, {X: Y})) == K.WordsOf(Y)


def test_binding_a_variable_of_another_sort_is_refused() -> None:
    for v, over in ((c, X), (n, X), (a, Range(n)), (a, Words(X, n)), (x, Range(n)), (p, X)):
        with pytest.raises(K.Refused):
            B.bind_sum(x, v, over)


def test_a_loose_index_is_seen_through_binders() -> None:
    assert B.loose(Bound(0, X)) == 1
    assert B.loose(K.Sum(X, F(Bound(0, X)))) == 0
    assert B.loose(K.Sum(X, F(Bound(1, X)))) == 1
    assert B.loose(K.Sum(Range(Bound(0, NAT)), x)) == 1
    assert B.loose(K.Lim(K.Near(Bound(0, REAL)), Bound(0, REAL), x)) == 1
    assert B.loose(K.HasD(Bound(0, REAL), x, y)) == 0
    assert B.loose(K.HasD(x, Bound(0, REAL), y)) == 1


def test_the_set_of_a_sum_lies_outside_its_binder() -> None:
    """sum_{m < m} does not exist: the inner m is the outer one."""
    t = B.bind_sum(f(m), m, Range(m))
    assert B.variables(t) == {m}
    assert B.substitute(t, {m: Integer(2)}) == B.bind_sum(f(n), n, Range(Integer(2)))


def test_a_filter_lies_outside_its_binder() -> None:
    t = K.Lim(K.Near(x), B.close_body(x, f(x)), y)
    assert B.variables(t) == {x, y}


def test_fresh_variables_are_not_authors_variables() -> None:
    v = B.fresh(REAL)
    assert v != Var(str(v.tag), REAL) and B.fresh(REAL) != v


def test_matching_takes_no_value_from_under_a_binder() -> None:
    from derivations.kernel.signs import match

    pattern = B.bind_sum(x * F(a), a, X)
    vs = frozenset([x])
    assert match(pattern, B.bind_sum(y * F(a), a, X), vs, {}) == {x: y}
    assert match(pattern, B.bind_sum(F(a) * F(a), a, X), vs, {}) is None
    assert match(pattern, B.bind_sum(G(a, a) * F(a), a, X), vs, {}) is None


def test_matching_is_consistent_and_sorted() -> None:
    from derivations.kernel.signs import match

    two = frozenset([x])
    assert match(f(x) * Fn("g", REAL, REAL)(x), f(y) * Fn("g", REAL, REAL)(z), two, {}) is None
    naturals = frozenset([n])
    assert match(f(n), f(x), naturals, {}) is None
    assert match(f(n), f(m + 1), naturals, {}) == {n: m + 1}
    assert match(f(x), f(m + 1), two, {}) == {x: m + 1}
    assert match(F(a), Fn("F", REAL, Fin("Y"))(Var("e", Fin("Y"))), frozenset([a]), {}) is None
