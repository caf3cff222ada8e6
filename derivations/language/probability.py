"""Finite distributions: expectation, relative entropy (KL, in nats), entropy, total variation.

A distribution is a function symbol p over a finite set; `at` is the variable it is applied to.

Source: Cover and Thomas, Elements of Information Theory (2006), chapter 2, unless a symbol names
another.
Shapes: p and q map the set of a to real numbers; a sum runs over all of that set.
Units: probabilities are plain numbers; logarithms are natural, so divergences and entropies are in
nats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Expr

from derivations.kernel.terms import REAL, Fn, Inv, Var, reciprocal
from derivations.language.reasons import Bundle, Hypothesis, Law, given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Less,
    Sum,
    absolute,
    append,
    empty_word,
    log,
    term,
)

log_bound = Law("log x ≤ x − 1", "logarithm_bound")
Mass = Callable[[Any], Any] | Fn


def distribution(p: Fn, a: Var) -> Bundle:
    """p(a) >= 0 and sum_a p(a) = 1; zeros are allowed.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members
    >>> a, p = members("A", "a"), function("p", "A")
    >>> for h in distribution(p, a):
    ...     print(text(h.formula))
    ∀ a: p(a) ≥ 0
    Σ_a p(a) = 1
    """
    return Bundle(
        f"{p.name} is a distribution",
        nonneg=given(p(a) >= 0, f"{p.name} ≥ 0"),
        total=given(Equal(Sum(p(a), a), 1), f"{p.name} sums to one"),
    )


def full_support(p: Fn, a: Var) -> Hypothesis:
    """p(a) > 0 for every a.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members
    >>> a, p = members("A", "a"), function("p", "A")
    >>> print(text(full_support(p, a).formula))
    ∀ a: p(a) > 0
    """
    return given(p(a) > 0, f"{p.name} > 0")


def dominated(q: Fn, p: Fn, a: Var) -> Hypothesis:
    """q << p: p(a) > 0 wherever q(a) > 0, that is, q(a) = 0 wherever p(a) = 0.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions, members
    >>> a, (p, q) = members("A", "a"), functions("p q", "A")
    >>> print(text(dominated(q, p, a).formula))
    ∀ a: q(a) > 0 ⇒ p(a) > 0
    """
    return given(Implies(q(a) > 0, p(a) > 0), f"{q.name} ≪ {p.name}")


def nonzero(x: Any) -> Expr:
    """1 where x is not zero and 0 where it is: x^2 Inv(x)^2, since Inv(0) = 0; the squares set it
    apart from a fraction p/x times x, and the printer writes it as 1[x != 0].

    Source: the project's own, see the rules page on 1/0.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import reals
    >>> print(text(nonzero(reals("x"))))
    1[x ≠ 0]
    """
    return term(x) ** 2 * Inv(term(x)) ** 2


def mass_where_zero(p: Mass, q: Mass, a: Var) -> Expr:
    """p(q = 0) = sum_a p(a) 1[q(a) = 0], the mass of p where q has none.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions, members
    >>> a, (p, q) = members("A", "a"), functions("p q", "A")
    >>> print(text(mass_where_zero(p, q, a)))
    Σ_a p(a) (1 − 1[q(a) ≠ 0])
    """
    return Sum(p(a) * (1 - nonzero(q(a))), a)


def near(x: Any, x0: Any, delta: Any) -> Any:
    """(x - x0)^2 < delta: x lies in the neighbourhood of x0 of radius sqrt(delta).

    Source: Rudin, Principles of Mathematical Analysis (1976), 2.18.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import reals
    >>> print(text(near(*reals("x", "x0", "delta"))))
    (x − x₀)² < δ
    """
    return Less((x - x0) ** 2, delta)


def smooth_family(p: Fn, dp: Fn, a: Var, theta0: Any, delta: Var) -> Bundle:
    """Distributions p(theta, .) with full support and slopes dp(theta, .) for theta near theta0.

    Full support near theta0 is no more than full support at theta0: p is continuous there and the
    set finite, so that a smaller delta will do.

    Source: Rudin, Principles of Mathematical Analysis (1976), 5.1, for the derivative.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members, reals
    >>> a, theta0, d = members("A", "a"), *reals("theta0", "delta")
    >>> for h in smooth_family(function("p", REAL, "A"), function("dp", REAL, "A"), a, theta0, d):
    ...     print(text(h.formula))
    δ > 0
    ∀ a, θ: (θ − θ₀)² < δ ⇒ p_θ(a) > 0
    ∀ θ: (θ − θ₀)² < δ ⇒ Σ_a p_θ(a) = 1
    ∀ a, θ: (θ − θ₀)² < δ ⇒ d/dθ p_θ(a) = ∂p_θ(a)
    """
    theta = Var("theta", REAL)
    close = near(theta, theta0, delta)
    total = Equal(Sum(p(theta, a), a), 1)
    slope = Derivative(p(theta, a), theta, theta, dp(theta, a))
    return Bundle(
        f"{p.name} is a smooth family",
        delta=given(delta > 0, "δ > 0"),
        positive=given(ForAll(theta, Implies(close, p(theta, a) > 0)), f"{p.name} > 0 near θ₀"),
        total=given(ForAll(theta, Implies(close, total)), f"{p.name} sums to one near θ₀"),
        slope=given(ForAll(theta, Implies(close, slope)), f"{dp.name} is the slope of {p.name}"),
    )


def sequence_law(P: Fn, p: Fn, v: Var, w: Var) -> Bundle:
    """P(w v) = P(w) p(v, w): the law of sequences whose token after w has the law p(., w).

    Shapes: P maps words over V to real numbers, p a token and a word.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members, words
    >>> v, w = members("V", "v"), words("V", "w")
    >>> for h in sequence_law(function("P", w), function("p", v, w), v, w):
    ...     print(text(h.formula))
    P(⟨⟩) = 1
    ∀ v, w: P(w·v) = p(v, w) P(w)
    """
    empty = Equal(P(empty_word(v.sort)), 1)
    return Bundle(
        f"{P.name} is the law of sequences of {p.name}",
        empty=given(empty, f"{P.name} of the empty sequence"),
        append=given(Equal(P(append(w, v)), P(w) * p(v, w)), f"{P.name} of one token more"),
    )


def expectation(p: Mass, x: Callable[[Any], Any] | Fn, a: Var) -> Expr:
    """E_{a ~ p}[x(a)] = sum_a p(a) x(a).

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions, members
    >>> a, (p, x) = members("A", "a"), functions("p x", "A")
    >>> print(text(expectation(p, x, a)))
    Σ_a p(a) x(a)
    """
    return Sum(p(a) * x(a), a)


def rel_entr(x: Any, y: Any) -> Expr:
    """x log(x/y), which is 0 at x = 0, as in scipy.special.rel_entr for y > 0.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import reals
    >>> print(text(rel_entr(*reals("x", "y"))))
    x log(x/y)
    """
    # reciprocal, not /: SymPy's own division of a product by itself would be 1
    return term(x) * log(term(x) * reciprocal(term(y)))


def KL(p: Mass, q: Mass, a: Var) -> Expr:
    """KL(p || q) = sum_a p(a) log(p(a)/q(a)), in nats; needs p(a) = 0 where q(a) = 0.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions, members
    >>> a, (p, q) = members("A", "a"), functions("p q", "A")
    >>> print(text(KL(p, q, a)))
    Σ_a p(a) log(p(a)/q(a))
    """
    return Sum(rel_entr(p(a), q(a)), a)


def entropy(p: Mass, a: Var) -> Expr:
    """H(p) = -sum_a p(a) log p(a), in nats.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import function, members
    >>> a, p = members("A", "a"), function("p", "A")
    >>> print(text(entropy(p, a)))
    −Σ_a p(a) log p(a)
    """
    return -Sum(term(p(a)) * log(p(a)), a)


def total_variation(p: Mass, q: Mass, a: Var) -> Expr:
    """TV(p, q) = (1/2) sum_a |p(a) - q(a)|.

    Source: Levin and Peres, Markov Chains and Mixing Times (2017), proposition 4.2.

    >>> from derivations.language.printing import text
    >>> from derivations.language.syntax import functions, members
    >>> a, (p, q) = members("A", "a"), functions("p q", "A")
    >>> print(text(total_variation(p, q, a)))
    ½ Σ_a |p(a) − q(a)|
    """
    return Sum(absolute(p(a) - q(a)), a) / 2
