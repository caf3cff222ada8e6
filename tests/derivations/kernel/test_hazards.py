"""Questions that SymPy answers wrongly, asked in the kernel's heads: the true answer, or a reason.

Each test names what SymPy 1.14 says.  A wrong answer is tried too, and must be refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy
from sympy import Integer, Rational, Symbol

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Eq, Exp, Inv, Log, Refused
from derivations.language.reasons import Hypothesis, given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Sum,
    absolute,
    delta,
    exp,
    formula,
    function,
    functions,
    larger,
    log,
    members,
    naturals,
    reals,
    steps_before,
    term,
)
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import Proof, prove, theorem
from tests.derivations.kernel.applying import proved, refused, use

i, j, k = members("I", "i", "j", "k")
n, m, t = naturals("n", "m", "t")
x, y, s = reals("x", "y", "s")
z, q, P = functions("z q P", "I")
f, g = function("f", t), function("g", t, t)


def attempt(statement: Callable[[], Any], reason: by, *hypotheses: Hypothesis) -> Proof:
    """Prove a statement by one line."""

    @theorem(says=lambda: {"it": statement()}, given=[*hypotheses])
    def hazard() -> None:
        claim(statement(), reason)

    return prove(hazard)


def is_true(statement: Any, reason: by, *hypotheses: Hypothesis) -> None:
    found = attempt(lambda: statement, reason, *hypotheses)
    assert found.status == "proved", found.refusal


def is_refused(statement: Any, reason: by, *hypotheses: Hypothesis) -> None:
    found = attempt(lambda: statement, reason, *hypotheses)
    assert found.status == "refused" and found.refusal is not None and found.refusal.message


# --- binders and derivatives

softmax = lambda logits: lambda i: exp(logits(i)) / Sum(exp(logits(j)), j)
moved = lambda j: z(j) + s * delta(k, j)
p_k = softmax(z)(k)


def test_softmax_derivative_is_not_zero() -> None:
    """(exp(x[i])/Sum(exp(x[i]), (i, 1, n))).diff(x[i]) is 0 in SymPy (21891); true: p_i(1-p_i)."""
    is_true(Derivative(softmax(moved)(k), s, 0, p_k * (1 - p_k)), by())
    is_refused(Derivative(softmax(moved)(k), s, 0, 0), by())
    is_refused(Derivative(softmax(moved)(k), s, 0, p_k), by())


def test_derivative_of_a_sum_by_one_of_its_terms() -> None:
    """Sum(z(i)*q(i), (i, 1, m)).diff(z(k)) is 0 in SymPy; true: q(k)."""
    whole = Sum(moved(i) * q(i), i)
    is_true(Derivative(whole, s, 0, q(k)), by())
    is_refused(Derivative(whole, s, 0, 0), by())
    is_refused(Derivative(whole, s, 0, Sum(q(i), i)), by())


def test_substitution_under_a_sum_does_not_capture() -> None:
    """Sum(x[j]*x[i], (i, 1, 2)).subs(j, i) is the sum of squares in SymPy; true: x_i sum x."""
    whole = Sum(z(j) * z(i), i)
    made = use("instantiate", proved(whole, z(j) * Sum(z(i), i)), values={j: i}).concl
    assert made == Eq(Sum(z(i) * z(k), k), z(i) * Sum(z(k), k))
    refused("normal_form", left=B.substitute(whole, {j: i}), right=Sum(z(i) ** 2, i))


def test_substituting_the_summation_variable_for_a_free_one() -> None:
    """Sum(x*a, (a, 1, n)).subs(x, a) is Sum(a**2) in SymPy; true: a_free * sum a."""
    whole = Sum(x * t, (t, steps_before(n)))
    made = B.substitute(whole, {x: t})
    assert proved(made, t * Sum(m, (m, steps_before(n))))
    refused("normal_form", left=made, right=Sum(t**2, (t, steps_before(n))))


def test_a_sum_with_a_delta() -> None:
    """A sum with a KroneckerDelta gave 0 where the truth is 2P - 1 (24032)."""
    total = given(Equal(Sum(P(i), i), 1), "P sums to one")
    is_true(Equal(Sum(P(i) * (2 * delta(i, k) - 1), i), 2 * P(k) - 1), by(total), total)
    is_refused(Equal(Sum(P(i) * (2 * delta(i, k) - 1), i), 0), by(total), total)


# --- sums


def test_a_sum_over_nothing_is_zero() -> None:
    """Sum(f(i), (i, 5, 2)).doit() is -f(3)-f(4) in SymPy (28746)."""
    assert proved(Sum(f(t), (t, steps_before(0))), 0)
    refused("normal_form", left=Sum(f(t), (t, steps_before(0))), right=f(Integer(0)))
    below = use("instantiate", proved(Sum(x, (t, steps_before(n))), n * x), values={n: Integer(0)})
    assert below.concl == Eq(K.Sum(K.Range(Integer(0)), x), 0)


@pytest.mark.parametrize("size", [-5, -1, Rational(1, 2), x, n - 1, n - m])
def test_a_size_is_a_natural_number(size: Any) -> None:
    """Sum(1, (i, 1, n)) at n = -5 is -5 in SymPy."""
    with pytest.raises(Refused, match="Range"):
        Equal(Sum(1, (t, steps_before(size))), 0)
    refused("instantiate", proved(Sum(x, (t, steps_before(n))), n * x), values={n: K.as_term(size)})


def test_a_binomial_sum_at_a_small_upper_end() -> None:
    """Sum of C(2,k) k^2 up to n gave 6 at n = 1 (13902); true: 2."""
    c = function("c", t)
    binomial = [Hypothesis(f"c({k})", Equal(c(Integer(k)), v)) for k, v in enumerate((1, 2, 1))]
    whole = lambda last: Sum(c(t) * t**2, (t, steps_before(last + 1)))
    is_true(Equal(whole(Integer(1)), 2), by(*binomial), *binomial)
    is_true(Equal(whole(Integer(2)), 6), by(*binomial), *binomial)
    is_refused(Equal(whole(Integer(1)), 6), by(*binomial), *binomial)


def test_a_decimal_series() -> None:
    """Sum(0.1**n, (n, 0, oo)).evalf() is 1.0 in SymPy (23102): floats do not come in."""
    with pytest.raises(Refused, match=r"[Ff]loat"):
        term(0.1 * x)
    with pytest.raises((Refused, TypeError)):
        K.Series(0.1)
    series = K.Series(B.close_body(t, Rational(1, 10) ** t))
    refused("normal_form", left=series, right=Integer(1))


def test_infinite_sums_are_not_subtracted() -> None:
    """Infinite sum 1/i minus infinite sum 1/(i+1) is 1 in SymPy; neither sum exists."""
    first = K.Series(B.close_body(t, Inv(t + 1)))
    second = K.Series(B.close_body(t, Inv(t + 2)))
    refused("normal_form", left=first - second, right=Integer(1))
    refused("normal_form", left=first, right=second)


def test_renamed_and_exchanged_sums_cancel() -> None:
    """They do not cancel in SymPy, and .equals gives None."""
    assert proved(Sum(z(i), i) - Sum(z(j), j), 0)
    both = lambda *order: Sum(g(t, m), *[(v, steps_before(n)) for v in order])
    assert proved(both(t, m), both(m, t))
    refused(
        "normal_form",
        left=both(t, m),
        right=Sum(g(m, t) + x, (m, steps_before(n)), (t, steps_before(n))),
    )


def test_shifted_sums_agree() -> None:
    """By induction: sum_{t<n} f(t+1) + f(0) = sum_{t<n+1} f(t)."""
    shifted = Equal(
        Sum(f(t + 1), (t, steps_before(n))), Sum(f(t), (t, steps_before(n))) + f(n) - f(0)
    )
    is_true(shifted, by(induct=n))
    wrong = Equal(
        Sum(f(t + 1), (t, steps_before(n))), Sum(f(t), (t, steps_before(n))) + f(n + 1) - f(0)
    )
    is_refused(wrong, by(induct=n))
    is_refused(
        Equal(Sum(f(t + 1), (t, steps_before(n))), Sum(f(t), (t, steps_before(n)))), by(induct=n)
    )


# --- equality and domain


def test_symbols_with_and_without_assumptions() -> None:
    """Symbol('x') != Symbol('x', real=True), and the derivative of one by the other is 0."""
    for symbol in (Symbol("x"), Symbol("x", real=True), Symbol("x", positive=True)):
        with pytest.raises(Refused, match="Symbol"):
            Equal(symbol, x)


def test_a_quotient_is_not_cancelled_before_it_is_seen() -> None:
    """x/x -> 1 and exp(log x) -> x in SymPy's constructors."""
    assert term(x / x) != 1 and term(exp(log(x))) != x
    refused("normal_form", left=term(x / x), right=Integer(1))
    refused("normal_form", left=exp(log(x)), right=x)
    assert proved(x / x, 1, K.Lt(0, x)) and proved(exp(log(x)), x, K.Lt(0, x))


def test_zero_times_something_is_zero_before_it_is_seen() -> None:
    """0*f -> 0 in the constructor.  True for total functions, Inv and Log of anything included."""
    assert 0 * Inv(x) == 0 and 0 * Log(x) == 0


def test_logarithms_are_not_forced_apart() -> None:
    """expand_log(log(x*y), force=True) at x = y = -1 is 2*pi*i away from the truth."""
    refused("normal_form", left=log(x * y), right=log(x) + log(y))
    refused(
        "normal_form", use("assume", formula=K.Lt(0, x * y)), left=log(x * y), right=log(x) + log(y)
    )
    assert proved(log(x * y), log(x) + log(y), K.Lt(0, x), K.Lt(0, y))


def test_an_identity_keeps_its_statement() -> None:
    """Eq(x, x) becomes True in SymPy, and the statement is lost."""
    assert Equal(x, x) == Eq(x, x) and isinstance(Equal(x, x), K.Formula)
    with pytest.raises(Refused, match="lost its statement"):
        formula(sympy.Eq(x, x))
    with pytest.raises(Refused):
        formula(True)


def test_equality_does_not_sample() -> None:
    """.equals samples where the assumptions fail (29781), with floats (27796)."""
    tiny = Rational(1, 10**40)
    refused("normal_form", left=x + tiny, right=x)
    refused("normal_form", left=exp(1) * Rational(10**40 + 1, 10**40), right=exp(1))


# --- points without a derivative


@pytest.mark.parametrize("slope", [0, 1, -1, Rational(1, 2), Rational(3, 4)])
def test_a_kink_has_no_derivative(slope: Any) -> None:
    """SymPy says 3/4 A at the PPO clip and 1/2 for relu at 0; there is none."""
    is_refused(Derivative(absolute(s), s, 0, slope), by())
    is_refused(Derivative(larger(s, 0), s, 0, slope), by())
    is_refused(Derivative(absolute(s - 1), s, 1, slope), by())


def test_zero_log_zero_is_zero() -> None:
    """A masked x log x at 0 is nan in torch: here the product is 0 whatever log 0 is."""
    assert proved(B.substitute(x * log(x), {x: Integer(0)}), 0)
    refused("normal_form", left=log(0), right=Integer(0))


# --- sympy.stats


def test_random_symbols_are_refused_by_name() -> None:
    """Distinct symbols count as independent (11429, 20111); E(XY) was Y where it is 0 (21874)."""
    from sympy import stats

    coin = stats.Bernoulli("X", Rational(1, 2))
    for t in (coin, stats.Expectation(coin), stats.Variance(coin)):
        with pytest.raises(Refused):
            term(t)


def test_for_all_is_ours() -> None:
    assert ForAll(x, Equal(x, x)) == B.for_all([y], Eq(y, y))
    assert Exp(x) != sympy.exp(x)
