"""The structural order: total, blind to hash seeds, and binders in one canonical order."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest
from sympy import Integer, Mul

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.normal import Normaliser
from derivations.kernel.order import key
from derivations.kernel.terms import NAT, REAL, Delta, Fn, Range, Var, Words
from tests.derivations.kernel.applying import F, G, X, Y, a, b, n, x
from tests.derivations.kernel.random_terms import Source


def some(count: int) -> list[Any]:
    out: list[Any] = []
    for seed in range(count):
        out.append(Source(Random(seed)).real(2))
    return out


def test_keys_can_be_compared_and_tell_terms_apart() -> None:
    terms = some(150)
    keys = [key(t) for t in terms]
    backwards = keys[::-1]
    assert sorted(keys) == sorted(backwards)
    for s, k in zip(terms, keys, strict=True):
        for t, other in zip(terms, keys, strict=True):
            assert (k == other) == (s == t) or Normaliser().is_zero(s - t), (s, t)


def test_the_order_of_commuting_arguments_does_not_matter() -> None:
    assert key(Delta(a, b)) == key(Delta(b, a))
    assert key(K.Max2(x, n)) == key(K.Max2(n, x))
    assert key(K.Pair(a, b)) != key(K.Pair(b, a))


@pytest.mark.parametrize("tags", [("5", "000005"), ("1", "01"), ("a", "a "), ("", " ")])
def test_tags_that_look_alike_are_ordered_alike_every_time(tags: tuple[str, str]) -> None:
    s, t = (Var(tag, X) for tag in tags)
    for left, right in ((s, t), (t, s)):
        made = Normaliser().term(F(left) * G(left, right) + F(right) * G(right, left))
        assert made == Normaliser().term(F(right) * G(right, left) + F(left) * G(left, right))


def sums(body: Any, vs: Any, sets: Any) -> Any:
    for v, over in zip(vs, sets, strict=True):
        body = B.bind_sum(body, v, over)
    return body


H = Fn("H", REAL, X, X, X)
LETTERS = [Var(f"i{j}", X) for j in range(4)]
i, j, k, l = LETTERS  # noqa: E741


@pytest.mark.parametrize(
    "body",
    [
        G(i, j) * G(j, k) * G(k, l),
        G(i, j) * G(j, k) * G(k, l) * G(l, i),
        G(i, j) * G(j, i) * G(k, l) * G(l, k),
        G(i, i) * G(i, j) * G(k, k) * F(l),
        H(i, j, k) * H(j, k, l) * H(k, l, i) * H(l, i, j),
        Delta(i, j) * G(i, k) * G(j, l),
        G(i, j) ** 2 * G(k, l) ** 2,
        G(i, j) * G(i, k) * G(i, l),
        K.Inv(F(i) + F(j)) * K.Inv(F(k) + F(l)),
    ],
    ids=str,
)
def test_any_order_of_the_binders_gives_one_normal_form(body: Any) -> None:
    first = Normaliser().term(sums(body, LETTERS, [X] * 4))
    for order in permutations(LETTERS):
        assert Normaliser().term(sums(body, order, [X] * 4)) == first


def test_different_graphs_stay_different() -> None:
    """A cycle of six and two triangles have the same degrees: refinement alone cannot tell."""
    vs = [Var(f"v{e}", X) for e in range(6)]
    cycle = Mul(*[G(vs[e], vs[(e + 1) % 6]) for e in range(6)])
    triangles = Mul(*[G(vs[e], vs[3 * (e // 3) + (e + 1) % 3]) for e in range(6)])
    whole = sums(cycle, vs, [X] * 6) - sums(triangles, vs, [X] * 6)
    assert not Normaliser().is_zero(whole)


def test_sets_that_depend_on_other_binders_come_after_them() -> None:
    m, q = Var("m", NAT), Var("q", NAT)
    f = Fn("f", REAL, NAT, NAT)
    t = B.bind_sum(B.bind_sum(f(m, q), q, Range(m)), m, Range(n))
    made = Normaliser().term(t)
    assert B.loose(made) == 0 and B.check(made) == made and Normaliser().is_zero(made - t)
    wrong = B.bind_sum(B.bind_sum(f(q, m), q, Range(m)), m, Range(n))
    assert not Normaliser().is_zero(t - wrong)
    word = Var("w", K.WordsOf(X))
    both = B.bind_sum(B.bind_sum(Fn("h", REAL, K.WordsOf(X))(word), word, Words(X, m)), m, Range(n))
    assert Normaliser().is_zero(both * 2 - both - both)


def test_sums_over_different_sets_are_told_apart() -> None:
    c = Var("c", Y)
    P = Fn("P", REAL, X, Y)
    left = sums(P(a, c), (a, c), (X, Y))
    right = sums(P(a, c), (c, a), (Y, X))
    assert Normaliser().term(left) == Normaliser().term(right)
    n1, m1 = Var("n", NAT), Var("m", NAT)
    f = Fn("f", REAL, NAT, NAT)
    first = sums(f(n1, m1), (n1, m1), (Range(x_), Range(y_)))
    second = sums(f(n1, m1), (n1, m1), (Range(y_), Range(x_)))
    assert not Normaliser().is_zero(first - second)


x_, y_ = Var("k", NAT), Var("r", NAT)


def test_large_powers_of_sums_stay_fast() -> None:
    import time

    start = time.perf_counter()
    t = B.bind_sum(F(a) * Delta(a, b), a, X)
    assert Normaliser().is_zero(t**9 - F(b) ** 9)
    assert Normaliser().is_zero(
        B.bind_sum(F(a) ** Integer(3), a, X) ** 4 - B.bind_sum(F(b) ** 3, b, X) ** 4
    )
    assert time.perf_counter() - start < 2
