"""The surrogate agrees with the return in value and in gradient at the old policy.

L(theta) = sum_s d_old(s) sum_a pi_theta(a|s) A_old(s, a) keeps the states of the old policy theta0.
L(theta0) = 0 = J(theta0) - J(theta0), and L has the gradient of J there.  Kakade and Langford
(2002), section 4; Schulman et al., Trust Region Policy Optimization (2015), equation (4).
"""

from derivations.language.mdp import a, discount, s, start, theta, theta0, transition
from derivations.language.syntax import Derivative, Equal, Sum
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.advantage_has_mean_zero import advantage_has_mean_zero
from derivations.theorems.decision_processes.policy_changes_sum_to_zero import (
    differentiable,
    pi,
    policy_changes_sum_to_zero,
)
from derivations.theorems.decision_processes.policy_gradient import (
    J,
    advantage,
    d,
    gradient,
    old_value,
    policies,
    policy_gradient,
    slope,
    values,
    visits,
)

L = lambda at: Sum(d(theta0)(s) * Sum(pi(at)(a, s) * advantage(s, a), a), s)


@theorem(
    says=lambda: {
        "value": Equal(L(theta0), 0),
        "gradient": Derivative(L(theta), theta, theta0, gradient),
        "gradient_of_the_return": Derivative(J(theta), theta, theta0, gradient),
        "error": Derivative(J(theta) - J(theta0) - L(theta), theta, theta0, 0),
    },
    given=[transition(), start(), discount(), *policies, *values, *visits, differentiable],
    example="One state, γ = 1/2, r = (1, 0), π = (θ, 1 - θ): J = 2θ and L = 2(θ - θ₀).",
    why={
        "pi sums to one": "the value of L at θ₀ is the mean of V times the mass that π lacks",
        "π is differentiable at θ₀": (
            "one state, γ = 0, r = (1, 0), π = (1/2 + |θ|, 1/2 - |θ|), θ₀ = 0: J and L have a kink"
        ),
        "γ < 1": "γ = 1: the values do not exist",
    },
)
def surrogate_agrees_to_first_order():
    claim(Equal(L(theta0), 0), by(advantage_has_mean_zero.at(**old_value)), "value")
    with_advantage = claim(
        Derivative(L(theta), theta, theta0, slope(advantage)), by(differentiable), "with A"
    )
    surrogate = claim(
        Derivative(L(theta), theta, theta0, gradient),
        by(with_advantage, policy_changes_sum_to_zero),
        "gradient",
    )
    the_return = claim(
        Derivative(J(theta), theta, theta0, gradient),
        by(policy_gradient["gradient"]),
        "gradient of the return",
    )
    claim(Derivative(J(theta) - J(theta0) - L(theta), theta, theta0, 0), by(surrogate, the_return))
