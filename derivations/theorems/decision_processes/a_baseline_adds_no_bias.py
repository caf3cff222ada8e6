"""A baseline that does not depend on the action adds nothing to the policy gradient.

sum_s d(s) sum_a grad pi(a|s) (Q(s, a) - b(s)) = sum_s d(s) sum_a grad pi(a|s) Q(s, a), for any b of
the state (or the prompt), since sum_a grad pi(a|s) = 0.  Williams (1992), theorem 1; Sutton and
Barto, 2nd ed., section 13.4.
"""

from derivations.language.mdp import a, s
from derivations.language.syntax import Equal, Sum, function, functions
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.policy_changes_sum_to_zero import (
    certain,
    differentiable,
    dpi,
    policy_changes_sum_to_zero,
)

(d, b), Q = functions("d b", s), function("Q", s, a)
slope = lambda f: Sum(d(s) * Sum(dpi(a, s) * f(s, a), a), s)


@theorem(
    says=lambda: {
        "each_state": Equal(Sum(dpi(a, s) * b(s), a), 0),
        "gradient": Equal(slope(lambda s, a: Q(s, a) - b(s)), slope(Q)),
    },
    given=[*certain, differentiable],
    why={
        "pi sums to one": "π = (θ) with one action: ∂π = 1, and the baseline changes the sum by b",
    },
    example="One state, ∂π = (1, -1), Q = (3, 1), b = 10: (3 - 10) - (1 - 10) = 2 = 3 - 1.",
)
def a_baseline_adds_no_bias():
    nothing = claim(Equal(Sum(dpi(a, s) * b(s), a), 0), by(policy_changes_sum_to_zero))
    claim(
        calc(
            slope(lambda s, a: Q(s, a) - b(s)),
            ("=", slope(Q), by(nothing)),
        )
    )
