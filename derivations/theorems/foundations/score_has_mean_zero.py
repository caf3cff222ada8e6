"""The score of a family of distributions has mean zero: sum_a p(a) grad log p(a) = 0.

For every parameter near theta0 where p is positive and differentiable: the masses sum to one all
around, so their slopes sum to zero, and p grad log p = grad p.  A coordinate of a parameter vector,
or a line theta0 + t Delta, is one real parameter.
Williams (1992), section 4; Casella and Berger, Statistical Inference, lemma 7.3.11.
"""

from derivations.kernel.terms import REAL
from derivations.language.probability import near, smooth_family
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Sum,
    function,
    log,
    members,
    reals,
)
from derivations.tactics.book import assuming, by, claim, conclude, unique_derivative
from derivations.tactics.theorem import theorem

a = members("A", "a")
theta, theta0, v, delta = reals("theta", "theta0", "v", "delta")
p, dp = function("p", REAL, a), function("dp", REAL, a)
family = smooth_family(p, dp, a, theta0, delta)
close = near(theta, theta0, delta)
nearby = lambda formula: ForAll(theta, Implies(close, formula))
score = lambda theta, a: dp(theta, a) / p(theta, a)


@theorem(
    says=lambda: {
        "slopes": nearby(Equal(Sum(dp(theta, a), a), 0)),
        "score": nearby(Derivative(log(p(v, a)), v, theta, score(theta, a))),
        "mean": nearby(Equal(Sum(p(theta, a) * score(theta, a), a), 0)),
    },
    given=[family],
    why={
        "p > 0 near θ₀": "an action of probability 0 has no score",
        "p sums to one near θ₀": "p = (θ) with one action: the score 1/θ has mean 1",
    },
    example=(
        "p = (θ, 1 - θ) at θ = 1/4: the scores are 4 and -4/3, their mean (1/4) 4 - (3/4)(4/3) = 0."
    ),
)
def score_has_mean_zero():
    with assuming(close, name="θ is near θ₀") as here:
        positive = claim(p(theta, a) > 0, by(family.positive, here), "p(θ) > 0")
        total = claim(
            Derivative(Sum(p(v, a), a), v, theta, Sum(dp(theta, a), a)), by(family.slope, here)
        )
        constant = claim(
            Derivative(Sum(p(v, a), a), v, theta, 0), by(family.total, here, via=(v, 1))
        )
        slopes = unique_derivative(total, constant, "the slopes sum to zero")
        log_slope = claim(
            Derivative(log(p(v, a)), v, theta, score(theta, a)), by(family.slope, positive, here)
        )
        mean = claim(Equal(Sum(p(theta, a) * score(theta, a), a), 0), by(slopes, positive))
    conclude(here, slopes, forall=(theta,))
    conclude(here, log_slope, forall=(theta,))
    conclude(here, mean, forall=(theta,))
