"""Visits b that only take the actions k: how much they carry, and how much there is of them.

If b <= d and k <= pi, then b and k carry at most what d and pi do.  If b holds what b and k carry,
and k has mass >= 1 - alpha in every state, then b has mass >= 1/(1 - gamma (1 - alpha)).
Lemma of `visitation_shift_has_a_sharp_bound`.
"""

from derivations.language.mdp import P, a, discount, gamma, p0, s, s2, start, transition
from derivations.language.reasons import given
from derivations.language.syntax import AtMost, Equal, Sum, functions, reals
from derivations.tactics.book import by, calc, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.products_grow_with_their_factors import (
    products_grow_with_their_factors as products_grow,
)

pi, k = functions("pi k", a, s)
d, b = functions("d b", s)
alpha = reals("alpha")
carried = lambda b, k: p0(s2) + gamma * Sum(b(s) * k(a, s) * P(s2, s, a), a, s)
mass = Sum(b(s), s)

kernel, start_, discount_ = transition(), start(), discount()
flow = given(Equal(d(s2), carried(d, pi)), "flow equation of d")
signs = [given(b(s) >= 0, "b ≥ 0"), given(k(a, s) >= 0, "k ≥ 0"), given(alpha >= 0, "α ≥ 0")]
fewer, rarer = given(b(s) <= d(s), "b ≤ d"), given(k(a, s) <= pi(a, s), "k ≤ π")
holds = given(carried(b, k) <= b(s2), "b holds what it carries")
enough = given(AtMost(1 - alpha, Sum(k(a, s), a)), "k has mass 1 − α at least")


@theorem(
    says=lambda: {
        "under": carried(b, k) <= d(s2),
        "mass": 1 / (1 - gamma + gamma * alpha) <= mass,
    },
    given=[kernel, start_, discount_, flow, *signs, fewer, rarer, holds, enough],
)
def common_visits_carry_the_common_actions():
    pair = products_grow.at(x=b(s), y=k(a, s), X=d(s), Y=pi(a, s))
    claim(
        calc(carried(b, k), ("<=", carried(d, pi), by(pair)), ("=", d(s2), by(flow))), name="under"
    )
    contraction = claim(
        calc(
            1 + gamma * ((1 - alpha) * mass),
            ("<=", 1 + gamma * Sum(b(s) * Sum(k(a, s), a), s), by(enough)),
            ("=", Sum(carried(b, k), s2), by(kernel.total, start_.total)),
            ("<=", mass, by(holds)),
        ),
        name="contraction",
    )
    claim(1 - gamma + gamma * alpha > 0, by(discount_.below_one), "the rate is positive")
    claim(1 / (1 - gamma + gamma * alpha) <= mass, by(contraction), "mass")
