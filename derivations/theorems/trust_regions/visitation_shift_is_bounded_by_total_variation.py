"""A small change of the policy moves the visitation little.

|d_pi' - d_pi|_1 <= 2 gamma/(1 - gamma) sum_s d_pi(s) TV(s) <= 2 gamma/(1 - gamma)^2 max_s TV(s),
with TV(s) the total variation between pi'(.|s) and pi(.|s).  Subtract the two flow equations.
Achiam et al., Constrained Policy Optimization (2017), lemma 3; Schulman et al. (2015), appendix A.
"""

from derivations.language.mdp import (
    P,
    a,
    discount,
    gamma,
    policy,
    s,
    s2,
    start,
    state_marginal,
    transition,
    visitation,
)
from derivations.language.probability import total_variation
from derivations.language.syntax import (
    AtMost,
    ForAll,
    Implies,
    Max,
    Sum,
    absolute,
    functions,
    reals,
)
from derivations.tactics.book import assuming, by, calc, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.visitation_sums_to_one_over_one_minus_gamma import (
    visitation_sums_to_one_over_one_minus_gamma as visits,
)

pi, pi2 = functions("pi pi2", a, s)
d, d2 = functions("d d2", s)
mu, mu2, eps = state_marginal("mu"), state_marginal("mu2"), reals("eps")
old, new, kernel = policy(pi), policy(pi2), transition()
start_, discount_ = start(), discount()
visits_old, visits_new = visitation(d, mu, pi), visitation(d2, mu2, pi2)

shift = lambda s: absolute(d2(s) - d(s))
moved = lambda s, a: shift(s) * pi2(a, s) + d(s) * absolute(pi2(a, s) - pi(a, s))
change = lambda s: Sum(absolute(pi2(a, s) - pi(a, s)), a)
TV = lambda s: total_variation(lambda a: pi2(a, s), lambda a: pi(a, s), a)
total_shift = Sum(shift(s), s)
close = ForAll(s, AtMost(TV(s), eps))


@theorem(
    says=lambda: {
        "average": AtMost(total_shift, 2 * gamma / (1 - gamma) * Sum(d(s) * TV(s), s)),
        "every_bound": Implies(close, AtMost(total_shift, 2 * gamma * eps / (1 - gamma) ** 2)),
        "largest": AtMost(total_shift, 2 * gamma / (1 - gamma) ** 2 * Max(TV(s), s)),
    },
    given=[old, new, kernel, start_, discount_, visits_old, visits_new],
    why={"γ < 1": "γ = 1: the visitations do not exist"},
    example="The new policy leaves y₀ for good with probability 1/2, the old one never, γ = 1/2: "
    "d = (2, 0), d′ = (4/3, 2/3), so the shift is 4/3 and the bound is 2.",
)
def visitation_shift_is_bounded_by_total_variation():
    flow, flow2 = visits["flow"], visits["flow"].at(d=d2, mu=mu2, pi=pi2)
    claim(d(s) >= 0, by(visits["nonneg"]), "d ≥ 0")
    pointwise = claim(
        AtMost(shift(s2), gamma * Sum(moved(s, a) * P(s2, s, a), a, s)),
        by(flow, flow2),
        "triangle inequality in the flow equations",
    )
    contraction = claim(
        calc(
            total_shift,
            ("<=", gamma * Sum(Sum(moved(s, a) * P(s2, s, a), a, s), s2), by(pointwise)),
            ("=", gamma * Sum(moved(s, a), a, s), by(kernel.total)),
            ("=", gamma * total_shift + gamma * Sum(d(s) * change(s), s), by(new.total)),
        ),
        name="contraction",
    )
    average = claim(
        AtMost(total_shift, 2 * gamma / (1 - gamma) * Sum(d(s) * TV(s), s)),
        by(contraction),
        "average",
    )
    with assuming(close, name="TV ≤ ε for every state") as near:
        mean = claim(Sum(d(s) * TV(s), s) <= eps * Sum(d(s), s), by(near))
        bound = claim(
            calc(
                total_shift,
                ("<=", 2 * gamma / (1 - gamma) * Sum(d(s) * TV(s), s), by(average)),
                ("<=", 2 * gamma / (1 - gamma) * (eps * Sum(d(s), s)), by(mean)),
                ("=", 2 * gamma * eps / (1 - gamma) ** 2, by(visits["total"])),
            ),
            name="every bound on TV",
        )
    every = conclude(near, bound, forall=(eps,))
    largest = claim(ForAll(s, AtMost(TV(s), Max(TV(s), s))), by(), "TV is at most its maximum")
    claim(
        AtMost(total_shift, 2 * gamma / (1 - gamma) ** 2 * Max(TV(s), s)),
        by(every(Max(TV(s), s)), largest),
        "largest",
    )
