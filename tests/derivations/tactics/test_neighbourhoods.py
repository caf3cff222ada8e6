"""Taylor at a point, and derivatives of functions that agree near it only."""

import pytest
from sympy import Rational

from derivations.kernel.terms import REAL
from derivations.language.probability import near
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Limit,
    exp,
    function,
    reals,
)
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import prove, theorem

x, v, c, delta = reals("x", "v", "c", "delta")
f, g = function("f", REAL), function("g", REAL)
rest, slope = lambda x: exp(x) - 1 - x, lambda x: exp(x) - 1
nearby = given(ForAll(x, Implies(near(x, c, delta), Equal(g(x), exp(x)))), "g = exp near c")
positive = given(delta > 0, "δ > 0")


def quadratic(limit):
    """The theorem that (exp x - 1 - x)/x^2 tends to `limit`, with the proof that gives 1/2."""

    @theorem(says=lambda: {"limit": Limit(rest(x) / x**2, x, 0, limit)})
    def exponential_is_quadratic():
        with assuming(near(x, 0, 1), name="near 0") as here:
            d = claim(Derivative(rest(v), v, x, slope(x)), by())
        first = conclude(here, d, forall=(x,))
        second = claim(Derivative(slope(v), v, 0, 1), by())
        claim(
            Limit(rest(x) / x**2, x, 0, limit),
            by(first, second, taylor=(x, rest(x), slope(x), 1)),
        )

    return exponential_is_quadratic


def agreeing(at, value):
    """The theorem that g has the derivative `value` at a point, from g = exp near c."""

    @theorem(says=lambda: {"slope": Derivative(g(v), v, at, value)}, given=[nearby, positive])
    def slope_of_g():
        claim(Derivative(g(v), v, at, value), by(nearby, positive, via=(v, exp(v))))

    return slope_of_g


def test_taylor_gives_the_limit_of_second_order():
    proof = prove(quadratic(Rational(1, 2)))
    assert proof.status == "proved", proof.refusal
    assert proof.replayed is not None
    assert "taylor_with_peano_remainder" in proof.replayed.axioms


@pytest.mark.parametrize("limit", [1, 0, Rational(-1, 2)])
def test_another_limit_is_refused(limit):
    assert prove(quadratic(limit)).status == "refused"


def test_equal_near_the_point_is_enough_for_a_derivative():
    proof = prove(agreeing(c, exp(c)))
    assert proof.status == "proved", proof.refusal
    assert proof.replayed is not None
    assert {"limit_is_local", "quotient_gives_derivative"} <= set(proof.replayed.axioms)


@pytest.mark.parametrize(("at", "value"), [(c, 2 * exp(c)), (c + 1, exp(c + 1)), (x, exp(x))])
def test_another_slope_and_a_point_that_may_lie_outside_are_refused(at, value):
    assert prove(agreeing(at, value)).status == "refused"
