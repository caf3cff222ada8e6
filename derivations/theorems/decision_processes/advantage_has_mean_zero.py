"""The advantage has mean zero under its own policy: sum_a pi(a|s) A(s, a) = 0 for every state.

Sutton and Barto, Reinforcement Learning, 2nd ed., section 3.5 (the Bellman equation for V).
"""

from derivations.language.mdp import Adv, Q, a, policy, s, state_law, value
from derivations.language.syntax import Equal, Sum, function
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.value_solves_the_bellman_equation import (
    value_solves_the_bellman_equation as bellman,
)

pi, V, m = function("pi", a, s), function("V", s), state_law("m")
policy_, value_ = policy(pi), value(V, m, pi)


@theorem(
    says=lambda: {"mean": Equal(Sum(pi(a, s) * Adv(V, s, a), a), 0)},
    given=[policy_.total, value_],
    why={
        "pi sums to one": "the mean of V under π is V times the mass of π",
    },
    example=(
        "One state, r = (1, 0), γ = 1/2, π = (1/4, 3/4): V = 1/2, Q = (5/4, 1/4), A = (3/4, "
        "-1/4), and (1/4)(3/4) - (3/4)(1/4) = 0."
    ),
)
def advantage_has_mean_zero():
    claim(
        calc(
            Sum(pi(a, s) * Adv(V, s, a), a),
            ("=", Sum(pi(a, s) * Q(V, s, a), a) - V(s), by(policy_.total)),
            ("=", 0, by(bellman["bellman"])),
        )
    )
