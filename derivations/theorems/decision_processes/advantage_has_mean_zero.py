"""The advantage has mean zero under its own policy: sum_a pi(a|s) A(s, a) = 0 for every state.

Sutton and Barto, Reinforcement Learning, 2nd ed., section 3.5 (the Bellman equation for V).
"""

from derivations.language.mdp import Adv, Q, a, bellman, policy, s
from derivations.language.syntax import Equal, Sum, function
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem

pi, V = function("pi", a, s), function("V", s)
policy_, value = policy(pi), bellman(V, pi)


@theorem(
    says=lambda: {"mean": Equal(Sum(pi(a, s) * Adv(V, s, a), a), 0)},
    given=[policy_.total, value],
)
def advantage_has_mean_zero():
    claim(
        calc(
            Sum(pi(a, s) * Adv(V, s, a), a),
            ("=", Sum(pi(a, s) * Q(V, s, a), a) - V(s), by(policy_.total)),
            ("=", 0, by(value)),
        )
    )
