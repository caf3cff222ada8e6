"""sum_t gamma^t c(t) converges when |c(t)| <= B for every t and 0 <= gamma < 1.

By comparison with B times the geometric series.  Rudin, Principles, 3.25.
"""

from derivations.language.mdp import T, discount, gamma, t
from derivations.language.reasons import given
from derivations.language.syntax import (
    INFINITY,
    Limit,
    Sum,
    absolute,
    function,
    reals,
    series,
    steps_before,
)
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.powers_of_the_discount_vanish import (
    powers_of_the_discount_vanish as geometric,
)

c, B = function("c", t), reals("B")
bounded = given(absolute(c(t)) <= B, "|c| ≤ B")
converges = lambda: Limit(
    Sum(gamma**t * c(t), (t, steps_before(T))), T, INFINITY, series(gamma**t * c(t), t)
)


@theorem(says=lambda: {"limit": converges()}, given=[discount(), bounded])
def discounted_sums_of_bounded_terms_converge():
    claim(converges(), by(geometric["series"], bounded, dominated=(t, B * gamma**t)))
