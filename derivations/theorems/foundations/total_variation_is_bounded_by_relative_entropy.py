"""Pinsker's inequality: TV(p, q)^2 <= KL(p || q)/2 for distributions p << q, zeros allowed.

Pointwise (p - q)^2 <= m R with m = (2p + 4q)/3 and R = p log(p/q) - p + q, by calculus in one
variable; hence 2 l |p - q| <= l^2 m + R for every l.  The sum over a is 2 l T <= 2 l^2 + KL with
T = 2 TV, and l = T/2 is the best choice.  TV^2 <= KL is the weaker form that TRPO uses.
Tsybakov, Introduction to Nonparametric Estimation (2009), lemma 2.5.
"""

from derivations.language.probability import (
    KL,
    distribution,
    dominated,
    rel_entr,
    total_variation,
)
from derivations.language.syntax import Sum, absolute, functions, members, reals
from derivations.tactics.book import by, claim, forall, square
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.relative_entropy_of_a_ratio_exceeds_its_square import (
    relative_entropy_of_a_ratio_exceeds_its_square as one_variable,
)

a = members("A", "a")
l = reals("lam")
p, q = functions("p q", "A")
p_, q_, p_in_q = distribution(p, a), distribution(q, a), dominated(p, q, a)
change = absolute(p(a) - q(a))
m = (2 * p(a) + 4 * q(a)) / 3
R = rel_entr(p(a), q(a)) - p(a) + q(a)
T = Sum(change, a)


@theorem(
    says=lambda: {
        "pinsker": total_variation(p, q, a) ** 2 <= KL(p, q, a) / 2,
        "weaker": total_variation(p, q, a) ** 2 <= KL(p, q, a),
    },
    given=[p_, q_, p_in_q],
    why={
        "p ≪ q": "q(a) = 0 < p(a) makes KL infinite",
        "q sums to one": "p = (1), q = (3): TV = 1 and KL = -log 3",
    },
    example="p = (3/4, 1/4), q = (1/2, 1/2): TV^2 = 0.0625, KL/2 = 0.0654",
)
def total_variation_is_bounded_by_relative_entropy():
    pointwise = claim(
        (p(a) - q(a)) ** 2 <= m * R,
        by(one_variable(p(a) / q(a)), p_in_q, split=(p(a), q(a))),
        "pointwise",
    )
    young = claim(
        2 * l * change <= l**2 * m + R,
        by(pointwise, square(l * m - change), split=(p(a), q(a)), divide=m),
        "for every λ",
    )
    total = claim(2 * l * T <= 2 * l**2 + KL(p, q, a), by(young, p_.total, q_.total), "summed")
    total = forall(total, l)
    pinsker = claim(total_variation(p, q, a) ** 2 <= KL(p, q, a) / 2, by(total(T / 2)), "Pinsker")
    claim(total_variation(p, q, a) ** 2 <= KL(p, q, a), by(pinsker, square(T)))
