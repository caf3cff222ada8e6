"""The sharp bound on the visitation shift: 2 gamma alpha/((1 - gamma)(1 - gamma + gamma alpha)).

alpha is the largest total variation between pi'(.|s) and pi(.|s).  What the two visitations have in
common flows at least as the actions that the two policies have in common, and these have mass
1 - TV(s).  A coupling argument without couplings; compare Levin and Peres, Markov Chains and Mixing
Times, proposition 4.7.  `the_sharp_visitation_bound_is_attained` shows that it cannot be improved.
"""

from derivations.language.mdp import P, a, gamma, p0, s, s2
from derivations.language.syntax import AtMost, Equal, Max, Sum, absolute
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.visitation_sums_to_one_over_one_minus_gamma import (
    visitation_sums_to_one_over_one_minus_gamma as visits,
)
from derivations.theorems.trust_regions.common_visits_carry_the_common_actions import (
    common_visits_carry_the_common_actions as carry,
)
from derivations.theorems.trust_regions.visitation_shift_is_bounded_by_total_variation import (
    TV,
    d,
    d2,
    discount_,
    kernel,
    mu2,
    new,
    old,
    pi,
    pi2,
    shift,
    start_,
    total_shift,
    visits_new,
    visits_old,
)

alpha = Max(TV(s), s)
in_common = lambda x, y: (x + y - absolute(y - x)) / 2
both = lambda s: in_common(d(s), d2(s))
action = lambda a, s: in_common(pi(a, s), pi2(a, s))
flowing = p0(s2) + gamma * Sum(both(s) * action(a, s) * P(s2, s, a), a, s)
arrivals = lambda d, pi: Sum(d(s) * pi(a, s) * P(s2, s, a), a, s)
second = {"d": d2, "mu": mu2, "pi": pi2}
mass = Sum(both(s), s)
bound = 2 * gamma * alpha / ((1 - gamma) * (1 - gamma + gamma * alpha))


@theorem(
    says=lambda: {"sharp": AtMost(total_shift, bound)},
    given=[old, new, kernel, start_, discount_, visits_old, visits_new],
    example=(
        "The new policy leaves y₀ for good with probability 1/2, the old one never, γ = 1/2: the "
        "shift is 4/3, and 2 (1/2)(1/2)/((1/2)(3/4)) = 4/3."
    ),
    why={
        "γ < 1": "γ = 1: the visitations do not exist",
        "P sums to one": "a process that loses mass in some states shifts more",
    },
)
def visitation_shift_has_a_sharp_bound():
    claim(Equal(d(s2), p0(s2) + gamma * arrivals(d, pi)), by(visits["flow"]))
    claim(Equal(d2(s2), p0(s2) + gamma * arrivals(d2, pi2)), by(visits["flow"].at(**second)))
    total, total2 = visits["total"], visits["total"].at(**second)
    claim(d(s) >= 0, by(visits["nonneg"]), "d ≥ 0")
    claim(d2(s) >= 0, by(visits["nonneg"].at(**second)), "d′ ≥ 0")
    apart = claim(shift(s) <= d(s) + d2(s), by())
    apart2 = claim(absolute(pi2(a, s) - pi(a, s)) <= pi(a, s) + pi2(a, s), by())
    claim(both(s) >= 0, by(apart), "the common visits are ≥ 0")
    claim(action(a, s) >= 0, by(apart2), "the common actions are ≥ 0")
    claim(both(s) <= d(s), by())
    claim(both(s) <= d2(s), by())
    claim(action(a, s) <= pi(a, s), by())
    claim(action(a, s) <= pi2(a, s), by())
    pair = {"b": both, "k": action}
    under = claim(flowing <= d(s2), by(carry["under"].at(**pair)), "d carries it")
    under2 = claim(flowing <= d2(s2), by(carry["under"].at(**pair, d=d2, pi=pi2)), "d′ carries it")
    gap = claim(shift(s2) <= d(s2) + d2(s2) - 2 * flowing, by(under, under2))
    claim(flowing <= both(s2), by(gap), "so do the common visits")
    agreement = claim(Equal(Sum(action(a, s), a), 1 - TV(s)), by(old.total, new.total))
    largest = claim(TV(s) <= alpha, by(), "TV is at most its maximum")
    claim(calc(0, ("<=", TV(s), by()), ("<=", alpha, by(largest))), name="α ≥ 0")
    claim(1 - alpha <= Sum(action(a, s), a), by(agreement, largest), "common mass of a policy")
    claim(1 - gamma + gamma * alpha > 0, by(discount_.below_one), "the rate is positive")
    least = claim(
        1 / (1 - gamma + gamma * alpha) <= mass,
        by(carry["mass"].at(**pair, alpha=alpha)),
        "least common mass",
    )
    claim(
        calc(
            total_shift,
            ("=", 2 / (1 - gamma) - 2 * mass, by(total, total2)),
            ("<=", 2 / (1 - gamma) - 2 / (1 - gamma + gamma * alpha), by(least)),
            ("=", bound, by()),
        ),
        name="sharp bound",
    )
