"""Near theta0, relative entropy is half the Fisher information times the squared distance.

For a smooth family with full support near theta0, twice differentiable there: KL and its slope
vanish at theta0, both orientations have the second derivative F = E[(d log p)^2], and
KL/(theta - theta0)^2 -> F/2.  A line theta0 + t Delta of a parameter vector is one real parameter
t, whose score is Delta . grad log p: F is Delta^T F Delta there (`fisher_form_along_a_line`).
Positivity is needed: p = (theta^2, 1 - theta^2) at 0 has KL(p_0 || p_theta)/theta^2 -> 1, not F/2.
Kullback, Information Theory and Statistics (1959), section 2.6; Schulman et al. (2015), appendix C.
"""

from derivations.kernel.terms import REAL
from derivations.language.probability import KL, near, smooth_family
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Limit,
    Sum,
    function,
    log,
    members,
    reals,
)
from derivations.tactics.book import assuming, by, claim, conclude, unique_derivative
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.score_has_mean_zero import score_has_mean_zero

a = members("A", "a")
theta, theta0, v, delta = reals("theta", "theta0", "v", "delta")
p, dp, ddp = function("p", REAL, a), function("dp", REAL, a), function("ddp", a)
family = smooth_family(p, dp, a, theta0, delta)
second = given(Derivative(dp(v, a), v, theta0, ddp(a)), "∂²p is the slope of ∂p at θ₀")
close = near(theta, theta0, delta)
at = lambda theta: lambda a: p(theta, a)
forward = lambda theta: KL(at(theta0), at(theta), a)
reverse = lambda theta: KL(at(theta), at(theta0), a)
forward_slope = lambda theta: -Sum(p(theta0, a) * dp(theta, a) / p(theta, a), a)
reverse_slope = lambda theta: Sum(dp(theta, a) * log(p(theta, a) / p(theta0, a)), a)
F = Sum(p(theta0, a) * (dp(theta0, a) / p(theta0, a)) ** 2, a)
slopes = lambda f, slope: ForAll(theta, Implies(close, Derivative(f(v), v, theta, slope(theta))))
ratio = lambda f: f(theta) / (theta - theta0) ** 2


@theorem(
    says=lambda: {
        "value": Equal(forward(theta0), 0),
        "forward_slope": slopes(forward, forward_slope),
        "forward_gradient": Derivative(forward(v), v, theta0, 0),
        "forward_hessian": Derivative(forward_slope(v), v, theta0, F),
        "forward_limit": Limit(ratio(forward), theta, theta0, F / 2),
        "reverse_slope": slopes(reverse, reverse_slope),
        "reverse_gradient": Derivative(reverse(v), v, theta0, 0),
        "reverse_hessian": Derivative(reverse_slope(v), v, theta0, F),
        "reverse_limit": Limit(ratio(reverse), theta, theta0, F / 2),
    },
    given=[family, second],
    why={"p > 0 near θ₀": "p = (θ², 1 - θ²) at 0: KL(p_0 || p_θ)/θ² -> 1, while F/2 = 0"},
    example="p = (1/2 + θ, 1/2 - θ) at 0: F = 4 and KL(p_0 || p_θ)/θ² -> 2",
)
def relative_entropy_is_locally_the_fisher_quadratic():
    sums = score_has_mean_zero["slopes"]
    claim(p(theta0, a) > 0, by(family.positive, family.delta), "p(θ₀) > 0")
    flat = claim(Equal(Sum(dp(theta0, a), a), 0), by(sums, family.delta), "the slopes sum to zero")
    no_bend = unique_derivative(
        claim(Derivative(Sum(dp(v, a), a), v, theta0, Sum(ddp(a), a)), by(second)),
        claim(Derivative(Sum(dp(v, a), a), v, theta0, 0), by(sums, family.delta, via=(v, 0))),
        "so do the second slopes",
    )
    with assuming(close, name="θ is near θ₀") as here:
        claim(p(theta, a) > 0, by(family.positive, here), "p(θ) > 0")
        forward_at = claim(
            Derivative(forward(v), v, theta, forward_slope(theta)), by(family.slope, here)
        )
        reverse_at = claim(
            Derivative(reverse(v), v, theta, reverse_slope(theta)), by(family.slope, sums, here)
        )
    forward_near = conclude(here, forward_at, "slope of KL(θ₀‖θ)", forall=(theta,))
    reverse_near = conclude(here, reverse_at, "slope of KL(θ‖θ₀)", forall=(theta,))

    value = claim(Equal(forward(theta0), 0), by(), "no distance at θ₀")
    level = claim(Equal(forward_slope(theta0), 0), by(flat), "no slope at θ₀")
    claim(Derivative(forward(v), v, theta0, 0), by(forward_near, level, family.delta))
    bend = claim(
        Derivative(forward_slope(v), v, theta0, F), by(family.slope, second, no_bend, family.delta)
    )
    claim(
        Limit(ratio(forward), theta, theta0, F / 2),
        by(
            *(forward_near, bend, value, level, family.delta),
            taylor=(theta, forward(theta), forward_slope(theta), F),
        ),
    )
    level = claim(Equal(reverse_slope(theta0), 0), by(), "no slope at θ₀")
    claim(Derivative(reverse(v), v, theta0, 0), by(reverse_near, level, family.delta))
    bend = claim(Derivative(reverse_slope(v), v, theta0, F), by(family.slope, second, family.delta))
    claim(
        Limit(ratio(reverse), theta, theta0, F / 2),
        by(
            *(reverse_near, bend, value, level, family.delta),
            taylor=(theta, reverse(theta), reverse_slope(theta), F),
        ),
    )
