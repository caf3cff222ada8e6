"""Discounted changes of value telescope: only the first value and a vanishing last one remain.

sum_{t < T} gamma^t (gamma V_{t+1} - V_t) = gamma^T V_T - V_0 for any numbers V_t, and for bounded
ones the sum tends to -V_0.  Ng, Harada and Russell (1999), on potential-based shaping.
"""

from derivations.language.mdp import T, discount, gamma, steps_before, t
from derivations.language.reasons import given
from derivations.language.syntax import INFINITY, Equal, Limit, Sum, absolute, function, reals
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.powers_of_the_discount_vanish import (
    powers_of_the_discount_vanish as vanish,
)

V, B = function("V", t), reals("B")
bounded = given(absolute(V(t)) <= B, "V is bounded")
changes = Sum(gamma**t * (gamma * V(t + 1) - V(t)), (t, steps_before(T)))


@theorem(
    says=lambda: {
        "finite": Equal(changes, gamma**T * V(T) - V(0)),
        "limit": Limit(changes, T, INFINITY, -V(0)),
    },
    given=[discount(), bounded],
    why={
        "V is bounded": "γ = 1/2, V_t = 2^t: every sum is 0, and -V_0 = -1",
        "γ < 1": "γ = 1, V_t = 1 for t > 0 and V_0 = 0: every sum with T > 0 is 1, and -V_0 = 0",
    },
    example="γ = 1/2, V = (4, 2, 8, ...), T = 2: (1 - 4) + (4 - 2)/2 = -2 = 8/4 - 4.",
)
def discounted_values_telescope():
    finite = claim(Equal(changes, gamma**T * V(T) - V(0)), by(induct=T), "finite sum")
    claim(
        Limit(changes, T, INFINITY, -V(0)),
        by(finite, bounded, vanish["powers"], squeeze=(T, B * gamma**T)),
        "limit",
    )
