"""The statement lint knows what implications give: where q > 0 under q << p, and near a point."""

from derivations.kernel.terms import REAL
from derivations.language.lint import undefined
from derivations.language.probability import dominated, near, smooth_family
from derivations.language.reasons import Hypothesis
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Limit,
    Sum,
    formula,
    function,
    functions,
    log,
    members,
    reals,
)

a = members("A", "a")
theta, theta0, v, delta = reals("theta", "theta0", "v", "delta")
p, q = functions("p q", "A")
family, slope = function("f", REAL, a), function("df", REAL, a)
SIGNS = [formula(p(a) >= 0), formula(ForAll(a, q(a) >= 0)), formula(ForAll(a, p(a) >= 0))]
EXPECTED = formula(Equal(Sum(q(a) * log(p(a) / q(a)), a), 0))
SMOOTH = [
    h.formula for h in smooth_family(family, slope, a, theta0, delta) if isinstance(h, Hypothesis)
]
SCORE = Derivative(log(family(v, a)), v, theta, slope(theta, a) / family(theta, a))


def test_a_logarithm_is_defined_where_its_weight_is_positive_under_domination():
    assert undefined(EXPECTED, [*SIGNS, dominated(q, p, a).formula]) == []


def test_domination_the_other_way_round_does_not_help():
    assert undefined(EXPECTED, SIGNS)
    assert undefined(EXPECTED, [*SIGNS, dominated(p, q, a).formula])


def test_a_derivative_only_needs_its_function_near_the_point():
    inside = formula(ForAll([a, theta], Implies(near(theta, theta0, delta), SCORE)))
    assert undefined(inside, SMOOTH) == []


def test_a_point_that_may_lie_outside_the_neighbourhood_is_reported():
    assert undefined(formula(ForAll([a, theta], SCORE)), SMOOTH)
    wider = Implies(near(theta, theta0, 2 * delta), SCORE)
    assert undefined(formula(ForAll([a, theta], wider)), SMOOTH)


def test_without_delta_the_neighbourhood_of_the_centre_may_be_empty():
    limit = formula(ForAll(a, Limit(log(family(v, a)), v, theta0, 0)))
    assert undefined(limit, SMOOTH) == []
    assert undefined(limit, [h for h in SMOOTH if h != formula(delta > 0)])
