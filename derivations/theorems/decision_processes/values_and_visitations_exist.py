"""The limits that define the value and the visitation exist, for every policy.

Rewards of a finite process are bounded by max |r| and probabilities by 1, so the discounted sums
are dominated by a geometric series.  Puterman, Markov Decision Processes (1994), section 6.1.
"""

from derivations.language.mdp import (
    T,
    a,
    discount,
    discounted_reward,
    discounted_visits,
    expected_reward,
    gamma,
    marginals,
    policy,
    r,
    s,
    start,
    state_law,
    state_marginal,
    step_law,
    t,
    transition,
    x,
)
from derivations.language.syntax import INFINITY, Equal, Limit, Max, Sum, absolute, function, series
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.discounted_sums_of_bounded_terms_converge import (
    discounted_sums_of_bounded_terms_converge as converges,
)
from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms

pi, m, mu = function("pi", a, s), state_law("m"), state_marginal("mu")
policy_, kernel, start_, discount_ = policy(pi), transition(), start(), discount()
from_each, from_p0 = step_law(m, pi), marginals(mu, pi)

reward = lambda n, x: expected_reward(m, pi, n, x)
largest = Max(absolute(r(s, a)), a, s)


@theorem(
    says=lambda: {
        "value": Limit(
            discounted_reward(m, pi, T, x), T, INFINITY, series(gamma**t * reward(t, x), t)
        ),
        "visitation": Limit(
            discounted_visits(mu, T, s), T, INFINITY, series(gamma**t * mu(t, s), t)
        ),
    },
    given=[policy_, kernel, start_, discount_, from_each, from_p0],
)
def values_and_visitations_exist():
    claim(m(t, x, s) >= 0, by(from_each, induct=t), "probabilities from x are ≥ 0")
    mass = claim(
        Equal(Sum(m(t, x, s), s), 1),
        by(from_each, policy_.total, kernel.total, induct=t),
        "they sum to one",
    )
    bound = claim(absolute(r(s, a)) <= largest, by(), "rewards are bounded")
    claim(
        calc(
            absolute(reward(t, x)),
            ("<=", Sum(m(t, x, s) * Sum(pi(a, s) * absolute(r(s, a)), a), s), by()),
            ("<=", Sum(m(t, x, s) * Sum(pi(a, s) * largest, a), s), by(bound)),
            ("=", largest, by(policy_.total, mass)),
        ),
        name="expected rewards are bounded",
    )
    claim(
        Limit(discounted_reward(m, pi, T, x), T, INFINITY, series(gamma**t * reward(t, x), t)),
        by(converges.at(c=lambda t: reward(t, x), B=largest)),
        "value",
    )
    claim(mu(t, s) >= 0, by(from_p0, induct=t), "state marginals are ≥ 0")
    total = claim(
        Equal(Sum(mu(t, s), s), 1),
        by(from_p0, start_.total, policy_.total, kernel.total, induct=t),
        "the marginals sum to one",
    )
    claim(
        absolute(mu(t, s)) <= 1,
        by(zero_sum_has_zero_terms["bound"].at(A="S", f=lambda s: mu(t, s)), total),
        "a probability is at most 1",
    )
    claim(
        Limit(discounted_visits(mu, T, s), T, INFINITY, series(gamma**t * mu(t, s), t)),
        by(converges.at(c=lambda t: mu(t, s), B=1)),
        "visitation",
    )
