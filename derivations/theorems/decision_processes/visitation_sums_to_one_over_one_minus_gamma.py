"""The discounted visitation solves the flow equation, is non-negative and has mass 1/(1 - gamma).

d(s) = sum_t gamma^t Pr(s_t = s) is not normalised.  Kakade and Langford (2002), section 2;
Puterman, Markov Decision Processes (1994), section 6.9 (the dual linear program).
"""

from derivations.language.mdp import (
    P,
    T,
    a,
    discount,
    discounted_visits,
    gamma,
    p0,
    policy,
    s,
    s2,
    start,
    state_marginal,
    t,
    transition,
    visitation,
)
from derivations.language.syntax import Equal, Sum, function
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem

pi, d, mu = function("pi", a, s), function("d", s), state_marginal("mu")
policy_, kernel, start_, discount_ = policy(pi), transition(), start(), discount()
visits = visitation(d, mu, pi)


def arrivals(x):
    """sum_{s, a} x(s) pi(a|s) P(s'|s, a): what flows into s' in one step."""
    return Sum(x(s) * pi(a, s) * P(s2, s, a), a, s)


until = lambda n: lambda x: discounted_visits(mu, n, x)


@theorem(
    says=lambda: {
        "partial_sums": Equal(until(T + 1)(s2), p0(s2) + gamma * arrivals(until(T))),
        "flow": Equal(d(s2), p0(s2) + gamma * arrivals(d)),
        "nonneg": d(s) >= 0,
        "total": Equal(Sum(d(s), s), 1 / (1 - gamma)),
    },
    given=[policy_, kernel, start_, discount_, visits],
    why={
        "γ < 1": "one state, γ = 1: the partial sums are T and have no limit",
        "P sums to one": "P = 0: only the start is visited and d sums to 1",
    },
    example="One state: d = 1 + γ + γ² + ... = 1/(1 - γ).",
)
def visitation_sums_to_one_over_one_minus_gamma():
    partial_flow = claim(
        Equal(until(T + 1)(s2), p0(s2) + gamma * arrivals(until(T))),
        by(visits.first, visits.step, induct=T),
        "flow equation of the partial sums",
    )
    flow = claim(
        Equal(d(s2), p0(s2) + gamma * arrivals(d)),
        by(partial_flow, visits.limit, limit=T),
        "flow equation",
    )
    claim(mu(t, s) >= 0, by(visits.first, visits.step, induct=t), "state marginals are ≥ 0")
    partial_nonneg = claim(until(T)(s) >= 0, by(), "partial sums are ≥ 0")
    claim(d(s) >= 0, by(partial_nonneg, visits.limit, limit=T), "d ≥ 0")
    mass = claim(
        calc(
            Sum(d(s), s),
            ("=", Sum(p0(s), s) + gamma * Sum(arrivals(d), s2), by(flow)),
            ("=", 1 + gamma * Sum(d(s), s), by(policy_.total, kernel.total, start_.total)),
        ),
        name="mass of d",
    )
    claim(Equal(Sum(d(s), s), 1 / (1 - gamma)), by(mass), "d sums to 1/(1 − γ)")
