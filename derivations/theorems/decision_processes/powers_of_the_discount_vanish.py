"""gamma^T -> 0 and sum_{t < T} gamma^t -> 1/(1 - gamma) for 0 <= gamma < 1.

Bernoulli's inequality gives gamma^T (1 + T (1 - gamma)) <= 1, hence a multiple of 1/(T + 1) as a
bound.  Hardy, Littlewood, Polya, Inequalities, 2.14; Rudin, Principles, 3.20 and 3.26.
"""

from derivations.language.mdp import T, discount, gamma, t
from derivations.language.reasons import Law
from derivations.language.syntax import INFINITY, Equal, Limit, Sum, steps_before
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem

discount_ = discount()
reciprocal_count = Law("1/(n + 1) → 0", "limit_of_reciprocal_count")
bound = 1 / (1 - gamma) * (1 / (T + 1))
geometric = Sum(gamma**t, (t, steps_before(T)))


@theorem(
    says=lambda: {
        "powers": Limit(gamma**T, T, INFINITY, 0),
        "series": Limit(geometric, T, INFINITY, 1 / (1 - gamma)),
    },
    given=[discount_],
)
def powers_of_the_discount_vanish():
    lost = claim(gamma**T * (1 - gamma) ** 2 * (T + 1) >= 0, by(), "what one step loses")
    bernoulli = claim(
        gamma**T * (1 + T * (1 - gamma)) <= 1, by(lost, induct=T), "Bernoulli's inequality"
    )
    small = claim(gamma**T <= bound, by(bernoulli), "bound on the powers")
    powers = claim(
        Limit(gamma**T, T, INFINITY, 0),
        by(small, reciprocal_count, squeeze=(T, bound)),
        "powers",
    )
    closed_form = claim(
        Equal(geometric, (1 - gamma**T) / (1 - gamma)), by(induct=T), "the geometric sum"
    )
    claim(
        Limit(geometric, T, INFINITY, 1 / (1 - gamma)),
        by(powers, closed_form, via=(T, (1 - gamma**T) / (1 - gamma))),
        "series",
    )
