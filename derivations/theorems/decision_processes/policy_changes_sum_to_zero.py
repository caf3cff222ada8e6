"""The changes of a policy sum to zero: sum_a d pi(a|s)/d theta = 0, since the policies sum to one.

Williams (1992); it is what lets Q take the place of A in a policy gradient.
"""

from derivations.language.mdp import a, family, for_every_theta, policy, s, theta, theta0
from derivations.language.reasons import given
from derivations.language.syntax import Derivative, Equal, Sum, function
from derivations.tactics.book import by, claim, unique_derivative
from derivations.tactics.theorem import theorem

pi, dpi = family("pi", a, s), function("dpi", a, s)
certain = for_every_theta(policy(pi(theta)).total)
differentiable = given(
    Derivative(pi(theta)(a, s), theta, theta0, dpi(a, s)), "π is differentiable at θ₀"
)


@theorem(
    says=lambda: {"sum": Equal(Sum(dpi(a, s), a), 0)},
    given=[*certain, differentiable],
)
def policy_changes_sum_to_zero():
    of_sum = claim(
        Derivative(1, theta, theta0, Sum(dpi(a, s), a)),
        by(differentiable, *certain, via=(theta, Sum(pi(theta)(a, s), a))),
        "derivative of the sum",
    )
    of_one = claim(Derivative(1, theta, theta0, 0), by(), "derivative of one")
    unique_derivative(of_sum, of_one, "a function has one derivative")
