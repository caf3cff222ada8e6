"""The policy gradient theorem, discounted, for an infinite horizon and without any interchange.

grad J = sum_s d_pi(s) sum_a grad pi(a|s) Q_pi(s, a), along one coordinate theta of the parameter,
for policies of a finite process that are differentiable at theta0: nothing is assumed of J, V or d.
The difference quotient of J comes from the performance difference, and d is continuous because its
shift is bounded by the total variation.  Sutton, McAllester, Singh and Mansour (1999), theorem 1.
"""

from derivations.language.mdp import (
    Adv,
    Q,
    a,
    discount,
    expected_return,
    family,
    for_every_theta,
    gamma,
    policy,
    s,
    start,
    t,
    theta,
    theta0,
    transition,
    value,
    visitation,
    x,
)
from derivations.language.probability import total_variation
from derivations.language.syntax import Derivative, Equal, Limit, Sum, absolute
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.advantage_has_mean_zero import advantage_has_mean_zero
from derivations.theorems.decision_processes.performance_difference import performance_difference
from derivations.theorems.decision_processes.policy_changes_sum_to_zero import (
    differentiable,
    dpi,
    pi,
    policy_changes_sum_to_zero,
)
from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms
from derivations.theorems.trust_regions.visitation_shift_is_bounded_by_total_variation import (
    visitation_shift_is_bounded_by_total_variation as visitation_shift,
)

V, m = family("V", s), family("m", t, x, s)
d, mu = family("d", s), family("mu", t, s)

policies = for_every_theta(policy(pi(theta)))
values = for_every_theta(value(V(theta), m(theta), pi(theta)))
visits = for_every_theta(visitation(d(theta), mu(theta), pi(theta)))

J = lambda at: expected_return(V(at))
advantage = lambda s, a: Adv(V(theta0), s, a)
slope = lambda f: Sum(d(theta0)(s) * Sum(dpi(a, s) * f(s, a), a), s)
gradient = slope(lambda s, a: Q(V(theta0), s, a))
moved = lambda a, s: (pi(theta)(a, s) - pi(theta0)(a, s)) / (theta - theta0)
TV = lambda s: total_variation(lambda a: pi(theta)(a, s), lambda a: pi(theta0)(a, s), a)
shift = lambda s: absolute(d(theta)(s) - d(theta0)(s))
bound = 2 * gamma / (1 - gamma) * Sum(d(theta0)(s) * TV(s), s)

old_value = {"pi": pi(theta0), "V": V(theta0), "m": m(theta0)}
old_visits = {"pi": pi(theta0), "d": d(theta0), "mu": mu(theta0)}
new_visits = {"pi2": pi(theta), "d2": d(theta), "mu2": mu(theta)}
new = {**new_visits, "V2": V(theta), "m2": m(theta)}


@theorem(
    says=lambda: {"gradient": Derivative(J(theta), theta, theta0, gradient)},
    given=[transition(), start(), discount(), *policies, *values, *visits, differentiable],
    why={
        "π is differentiable at θ₀": "one state, γ = 0, r = (1, 0), π = (1/2 + |θ|, 1/2 - |θ|), "
        "θ₀ = 0: J has a kink",
    },
    example="One state, γ = 0, r = (1, 0), π = (θ, 1 - θ): J = θ, and 1·1 + (-1)·0 = 1.",
)
def policy_gradient():
    difference = claim(
        Equal(
            J(theta) - J(theta0),
            Sum(d(theta)(s) * Sum(pi(theta)(a, s) * advantage(s, a), a), s),
        ),
        by(performance_difference["visitation"].at(V=V(theta0), **new)),
        "performance difference",
    )
    near = claim(
        calc(
            shift(s),
            ("<=", Sum(shift(s), s), by(zero_sum_has_zero_terms["bound"].at(A="S", f=shift))),
            ("<=", bound, by(visitation_shift["average"].at(**old_visits, **new_visits))),
        ),
        name="the visitation moves little",
    )
    continuous = claim(
        Limit(d(theta)(s), theta, theta0, d(theta0)(s)),
        by(near, differentiable, squeeze=(theta, bound)),
        "d is continuous at θ₀",
    )
    quotient = claim(
        Limit((J(theta) - J(theta0)) / (theta - theta0), theta, theta0, slope(advantage)),
        by(
            *(difference, advantage_has_mean_zero.at(**old_value), continuous, differentiable),
            via=(theta, Sum(d(theta)(s) * Sum(moved(a, s) * advantage(s, a), a), s)),
        ),
        "difference quotient of J",
    )
    with_advantage = claim(
        Derivative(J(theta), theta, theta0, slope(advantage)), by(quotient), "gradient, with A"
    )
    claim(
        Derivative(J(theta), theta, theta0, gradient),
        by(with_advantage, policy_changes_sum_to_zero),
        "with Q",
    )
