"""A model that attains the sharp bound on the visitation shift, for every gamma and alpha.

From y0, action a1 leads to y1 for good and every other action stays.  The old policy always takes
a0, the new one takes a1 with probability alpha; the process starts in y0.
"""

from derivations.language.mdp import P, a, discount, gamma, p0, s, s2, state_marginal, visitation
from derivations.language.probability import total_variation
from derivations.language.reasons import given
from derivations.language.syntax import Equal, Sum, absolute, delta, function, functions, reals
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.decision_processes.visitation_sums_to_one_over_one_minus_gamma import (
    visitation_sums_to_one_over_one_minus_gamma as visits,
)
from derivations.theorems.foundations.opposite_point_masses_have_size_two import (
    opposite_point_masses_have_size_two as opposite,
)

pi, pi2 = functions("pi pi2", a, s)
d, d2 = functions("d d2", s)
mu, mu2, alpha = state_marginal("mu"), state_marginal("mu2"), reals("alpha")
y0, y1 = (function(name, into=s)() for name in ("y0", "y1"))
a0, a1 = (function(name, into=a)() for name in ("a0", "a1"))

states = given(Equal(delta(y1, y0), 0), "y₀ and y₁ are two states")
actions = given(Equal(delta(a1, a0), 0), "a₀ and a₁ are two actions")
begin = given(Equal(p0(s), delta(s, y0)), "the start is y₀")
leaves = delta(a, a1) * delta(s2, y1) + (1 - delta(a, a1)) * delta(s2, s)
move = given(Equal(P(s2, s, a), leaves), "a₁ leads to y₁, other actions stay")
stay = given(Equal(pi(a, s), delta(a, a0)), "π takes a₀")
leave = given(
    Equal(pi2(a, s), (1 - alpha) * delta(a, a0) + alpha * delta(a, a1)), "π′ takes a₁ with α"
)
alpha_nonneg, discount_ = given(alpha >= 0, "α ≥ 0"), discount()
visits_old, visits_new = visitation(d, mu, pi), visitation(d2, mu2, pi2)

TV = total_variation(lambda a: pi2(a, s), lambda a: pi(a, s), a)
lost = gamma * alpha / ((1 - gamma) * (1 - gamma + gamma * alpha))
mass, dipole = Sum(d2(s), s), lost * (delta(s, y1) - delta(s, y0))
model = [states, actions, begin, move, stay, leave]


@theorem(
    says=lambda: {
        "total_variation": Equal(TV, alpha),
        "attained": Equal(Sum(absolute(d2(s) - d(s)), s), 2 * lost),
    },
    given=[*model, alpha_nonneg, discount_, visits_old, visits_new],
    why={
        "y₀ and y₁ are two states": "in one state nothing can shift",
        "α ≥ 0": "the total variation is |α|",
    },
    example="γ = 9/10, α = 1/2: the shift is 2 (9/10)(1/2)/((1/10)(11/20)) = 16.36.",
)
def the_sharp_visitation_bound_is_attained():
    flow, flow2 = visits["flow"], visits["flow"].at(d=d2, mu=mu2, pi=pi2)
    claim(1 - gamma + gamma * alpha > 0, by(discount_.below_one), "the rate is positive")
    leaving = lambda a: pi2(a, s) - pi(a, s)
    claim(Equal(leaving(a), alpha * (delta(a, a1) - delta(a, a0))), by(stay, leave))
    size = opposite.at(X="A", f=leaving, c=alpha, j=a1, k=a0)
    claim(Equal(TV, alpha), by(size), "total variation")
    stays = claim(
        Equal(Sum(pi(a, s) * P(s2, s, a), a), delta(s2, s)), by(move, stay, actions), "old step"
    )
    before = claim(Equal((1 - gamma) * d(s2), delta(s2, y0)), by(flow, begin, stays))
    leaves_with_alpha = claim(
        Equal(Sum(pi2(a, s) * P(s2, s, a), a), (1 - alpha) * delta(s2, s) + alpha * delta(s2, y1)),
        by(move, leave, actions),
        "new step",
    )
    after = claim(
        Equal(
            d2(s2), delta(s2, y0) + gamma * ((1 - alpha) * d2(s2) + alpha * delta(s2, y1) * mass)
        ),
        by(flow2, begin, leaves_with_alpha),
        "flow of the new policy",
    )
    total = claim(Equal(mass, 1 / (1 - gamma)), by(after), "mass of the new visits")
    rate = 1 - gamma + gamma * alpha
    shifted = claim(
        Equal(rate * (d2(s) - d(s)), rate * dipole),
        by(after, before, total),
    )
    claim(Equal(d2(s) - d(s), dipole), by(shifted))
    claim(lost >= 0, by(), "what y₀ loses")
    size = opposite.at(X="S", f=lambda s: d2(s) - d(s), c=lost, j=y1, k=y0)
    claim(Equal(Sum(absolute(d2(s) - d(s)), s), 2 * lost), by(size), "attained")
