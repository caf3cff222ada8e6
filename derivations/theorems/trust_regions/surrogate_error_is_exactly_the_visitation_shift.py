"""What the surrogate misses is exactly the shift of the visitation.

J(pi') - J(pi) - L = sum_s (d_pi' - d_pi)(s) sum_a pi'(a|s) A_pi(s, a), where the surrogate
L = sum_s d_pi(s) sum_a pi'(a|s) A_pi(s, a) keeps the states of the old policy.  Schulman et al.,
Trust Region Policy Optimization (2015), equation (3) and appendix A.
"""

from derivations.language.mdp import (
    Adv,
    a,
    discount,
    expected_return,
    policy,
    s,
    start,
    state_law,
    state_marginal,
    transition,
    value,
    visitation,
)
from derivations.language.syntax import Equal, Sum, functions
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.performance_difference import performance_difference

pi, pi2 = functions("pi pi2", a, s)
V, V2, d, d2 = functions("V V2 d d2", s)
m, m2, mu, mu2 = state_law("m"), state_law("m2"), state_marginal("mu"), state_marginal("mu2")

old = [policy(pi), value(V, m, pi), visitation(d, mu, pi)]
new = [policy(pi2), value(V2, m2, pi2), visitation(d2, mu2, pi2)]

advantage = lambda s: Sum(pi2(a, s) * Adv(V, s, a), a)
surrogate = Sum(d(s) * advantage(s), s)
change = expected_return(V2) - expected_return(V)
error = Equal(change - surrogate, Sum((d2(s) - d(s)) * advantage(s), s))


@theorem(
    says=lambda: {"error": error},
    given=[*old, *new, transition(), start(), discount()],
    why={
        "pi2 sums to one": (
            "one state, γ = 0, reward 1, π = 1, π′ = 0: J(π′) - J(π) = -1, but L and the shift "
            "are 0"
        ),
        "pi ≥ 0": "convenience: the proof does not use it",
    },
    example=(
        "Two states; a₁ leads to y₁ for good, a₀ stays; reward 1 in y₁, γ = 1/2, start in y₀, π "
        "takes a₀, π′ takes a₁: J(π′) - J(π) = 1, L = 2, and (1 - 2) 1 + (1 - 0) 0 = -1."
    ),
)
def surrogate_error_is_exactly_the_visitation_shift():
    claim(error, by(performance_difference["visitation"]))
