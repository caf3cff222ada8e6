"""What the printer writes: letters, order, bars, fractions, operators, in unicode and in LaTeX."""

from typing import Any

import pytest
from sympy import Rational

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL
from derivations.language.formats import words_of
from derivations.language.mdp import Adv, P, a, gamma, p0, r, s, s2
from derivations.language.printing import latex, text
from derivations.language.probability import KL
from derivations.language.syntax import (
    INFINITY,
    ZERO_RIGHT,
    AtMost,
    Derivative,
    Equal,
    ForAll,
    Implies,
    Less,
    Limit,
    Max,
    NotZero,
    Sum,
    absolute,
    delta,
    exp,
    function,
    larger,
    log,
    members,
    naturals,
    reals,
    sequences,
    size,
    smaller,
    steps_before,
    term,
    words,
)

pi, pi2, V, d = function("pi", a, s), function("pi2", a, s), function("V", s), function("d", s)
p, q = function("p", a), function("q", a)
x, y, beta, theta, theta0 = reals("x", "y", "beta", "theta", "theta0")
t, T, n = naturals("t", "T", "n")
mu = function("mu", NAT, s)


@pytest.mark.parametrize(
    ("built", "written"),
    [
        (x - 1, "x − 1"),
        (1 - gamma, "1 − γ"),
        (1 / (1 - gamma), "1/(1 − γ)"),
        (2 * gamma * x / (1 - gamma) ** 2, "2γ x/(1 − γ)²"),
        (-x / 2, "−x/2"),
        (p(a) * log(p(a) / q(a)), "p(a) log(p(a)/q(a))"),
        (log(p(a)) * beta, "β log p(a)"),
        (log(p(a)) / beta, "(log p(a))/β"),
        (exp(-x) * p(a), "p(a) exp(−x)"),
        (log(2) * x, "x log 2"),
        (absolute(x - y), "|x − y|"),
        (absolute(y - x), "|y − x|"),
        (larger(x, 1), "max(x, 1)"),
        (smaller(x, 1), "−max(−x, −1)"),
        ((x + y) ** 2 * 3, "3 (x + y)²"),
        (gamma**t, "γ^t"),
        (gamma ** (t + 1), "γ^(t+1)"),
        (delta(s, s2), "1[s = s′]"),
        (size("S"), "|S|"),
        (-(x - y), "y − x"),
        (x - (y - 1) * beta, "x − β (y − 1)"),
    ],
)
def test_terms(built: Any, written: str) -> None:
    assert text(term(built)) == written


@pytest.mark.parametrize(
    ("built", "written"),
    [
        (KL(p, q, a), "Σ_a p(a) log(p(a)/q(a))"),
        (Sum(P(s2, s, a) * V(s2) * d(s), s2, s), "Σ_{s, s′} d(s) P(s′|s, a) V(s′)"),
        (Sum(absolute(p(a) - q(a)), a) / 2, "½ Σ_a |p(a) − q(a)|"),
        (Sum(p(a), a) / beta, "1/β Σ_a p(a)"),
        (beta * Sum(p(a), a) / (1 - gamma), "β/(1 − γ) Σ_a p(a)"),
        (Sum(p(a), a) * Sum(q(a), a), "(Σ_a p(a)) Σ_a q(a)"),
        (Sum(p(a), a) ** 2, "(Σ_a p(a))²"),
        (Sum(p(a), a) - Sum(q(a) * 2, a), "Σ_a p(a) − Σ_a 2 q(a)"),
        (Sum(gamma**t, (t, steps_before(T))), "Σ_{t<T} γ^t"),
        (Sum(mu(t + 1, s), (t, steps_before(T + 1))), "Σ_{t<T+1} μ_{t+1}(s)"),
        (mu(0, s), "μ₀(s)"),
        (Max(p(a), a), "max_a p(a)"),
        (beta * Max(p(a), a), "β max_a p(a)"),
    ],
)
def test_operators_bind_like_products(built: Any, written: str) -> None:
    assert text(term(built)) == written


def test_the_bellman_equation_reads_as_on_a_page() -> None:
    bellman = Equal(V(s), Sum(pi(a, s) * (r(s, a) + gamma * Sum(P(s2, s, a) * V(s2), s2)), a))
    written = "∀ s: V(s) = Σ_a π(a|s) (r(s, a) + γ Σ_s′ P(s′|s, a) V(s′))"
    assert text(ForAll(s, bellman)) == written
    assert latex(ForAll(s, bellman)) == (
        r"\forall s:\; V(s) = \sum_{a} \pi(a\mid s)\,"
        r"\left(r(s, a) + \gamma\,\sum_{s'} P(s'\mid s, a)\,V(s')\right)"
    )


def test_a_bound_letter_never_is_a_free_one() -> None:
    free = Sum(V(s2) * V(s), s2)
    assert text(free) == "Σ_s′ V(s) V(s′)"
    assert text(Sum(free, s)) == "Σ_{s, s′} V(s) V(s′)"
    assert text(Sum(V(s), s) * V(s2)) == "V(s′) Σ_s V(s)"


def test_fresh_variables_keep_apart_from_authors() -> None:
    own = K.Var("s~3", s.sort)
    assert text(Equal(V(s), V(own))) == "V(s) = V(s′)"
    numbered = B.fresh(s.sort)
    assert text(term(V(s) - V(numbered))) == "V(s) − V(s′)"


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (Less(0, x), "x > 0"),
        (AtMost(0, x), "x ≥ 0"),
        (AtMost(x, y), "x ≤ y"),
        (NotZero(x), "x ≠ 0"),
        (Implies(Less(0, x), NotZero(x)), "x > 0 ⇒ x ≠ 0"),
        (Implies(Less(0, x), Less(0, y), Less(0, x + y)), "x > 0 and y > 0 ⇒ x + y > 0"),
        (Implies(ForAll(a, p(a) > 0), Less(0, x)), "(∀ a: p(a) > 0) ⇒ x > 0"),
        (ForAll([x, y], Equal(x, y)), "∀ x, y: x = y"),
        (Limit(gamma**n, n, INFINITY, 0), "lim_{n→∞} γ^n = 0"),
        (Limit(x, x, ZERO_RIGHT, 0), "lim_{x→0⁺} x = 0"),
        (Limit(theta, theta, theta0, theta0), "lim_{θ→θ₀} θ = θ₀"),
        (
            Limit(Sum(gamma**t * mu(t, s), (t, steps_before(T))), T, INFINITY, d(s)),
            "lim_{T→∞} Σ_{t<T} γ^t μ_t(s) = d(s)",
        ),
        (Derivative(theta**2, theta, theta0, 2 * theta0), "d/dθ θ² = 2θ₀ at θ = θ₀"),
        (Derivative(exp(x) - y, x, x, exp(x)), "d/dx (exp(x) − y) = exp(x)"),
        (ForAll(x, Derivative(exp(x), x, x, exp(x))), "∀ x: d/dx exp(x) = exp(x)"),
    ],
)
def test_formulas(formula: Any, written: str) -> None:
    assert text(formula) == written


def test_a_parameter_stands_below_the_name() -> None:
    policy, reward = function("pi", REAL, a, s), function("r_theta", REAL, a)
    total = ForAll([theta, s], Equal(Sum(policy(theta, a, s), a), 1))
    assert text(total) == "∀ θ, s: Σ_a π_θ(a|s) = 1"
    assert text(reward(theta0, a)) == "r_θ₀(a)"
    assert text(function("pi_theta", REAL, a, s)(theta0, a, s)) == "π_θ₀(a|s)"
    assert latex(reward(theta0, a)) == r"r_{\theta_{0}}(a)"


def test_words_and_pairs() -> None:
    (w,) = [words("V", "w")]
    v = members("V", "v")
    f = function("f", w)
    assert text(Sum(f(w), (w, sequences("V", n)))) == "Σ_{w∈V^n} f(w)"
    assert text(ForAll([w, v], Equal(f(K.Snoc(w, v)), f(w)))) == "∀ w, v: f(w·v) = f(w)"
    assert text(f(K.Nil(v.sort))) == "f(⟨⟩)"
    pairs = K.Prod(s.sort, a.sort)
    z = K.Var("z", K.WordsOf(pairs))
    g = function("g", z)
    assert text(Sum(g(z), (z, K.Words(pairs, n)))) == "Σ_{w∈(S×A)^n} g(w)"
    assert text(Equal(g(K.Snoc(z, K.Pair(s, a))), 0)) == "g(z·(s, a)) = 0"


def test_a_set_is_written_where_its_letter_does_not_say_it() -> None:
    g = members("Group", "g")
    assert text(Sum(function("f", g)(g), g)) == "Σ_{i∈Group} f(i)"


def test_a_second_object_of_a_kind_carries_a_prime() -> None:
    assert text(term(pi2(a, s) - pi(a, s))) in ("π′(a|s) − π(a|s)", "−π(a|s) + π′(a|s)")
    assert latex(pi2(a, s)) == r"\pi'(a\mid s)"
    assert text(p0(s)) == "p₀(s)"
    assert text(function("pi_old", a, s)(a, s)) == "π_old(a|s)"


def test_the_advantage_has_its_signs_in_order() -> None:
    assert text(Adv(V, s, a)) == "r(s, a) + γ Σ_s′ P(s′|s, a) V(s′) − V(s)"


def test_latex_stacks_fractions() -> None:
    assert latex(term(x / (1 - gamma))) == r"\frac{x}{1 - \gamma}"
    assert latex(term(Rational(1, 2) * Sum(p(a), a))) == r"\frac{1}{2}\,\sum_{a} p(a)"
    assert latex(NotZero(x)) == r"x \ne 0"
    assert latex(absolute(x)) == r"\left|x\right|"


def test_names_of_reasons_use_the_page_s_symbols() -> None:
    assert words_of("pi2 sums to one") == "π′ sums to one"
    assert words_of("mu starts at p0") == "μ starts at p₀"
    assert words_of("the next state") == "the next state"


def test_what_is_no_term_is_refused() -> None:
    with pytest.raises(K.Refused, match="cannot be printed"):
        text(K.Lam(REAL, K.Bound(0, REAL)))
