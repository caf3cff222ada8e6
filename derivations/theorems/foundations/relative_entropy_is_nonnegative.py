"""Relative entropy is not negative (Gibbs): KL(p || q) >= 0, with equality only for p = q.

p >= 0, zeros allowed, q > 0, and equal masses, one or not.
Cover and Thomas, Elements of Information Theory, 2nd ed., theorem 2.6.3.
"""

from derivations.language.probability import KL, full_support
from derivations.language.reasons import given
from derivations.language.syntax import Equal, ForAll, Implies, Sum, functions, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.relative_entropy_with_zeros_is_nonnegative import (
    relative_entropy_with_zeros_is_nonnegative as gibbs,
)

a = members("A", "a")
p, q = functions("p q", "A")
p_nonneg, q_pos = given(p(a) >= 0, "p ≥ 0"), full_support(q, a)
equal_mass = given(Equal(Sum(p(a), a), Sum(q(a), a)), "equal masses")


@theorem(
    says=lambda: {
        "nonnegative": KL(p, q, a) >= 0,
        "zero_only_at_equality": Implies(Equal(KL(p, q, a), 0), Equal(p(a), q(a))),
        "zero_at_equality": Implies(ForAll(a, Equal(p(a), q(a))), Equal(KL(p, q, a), 0)),
    },
    given=[p_nonneg, q_pos, equal_mass],
    why={
        "equal masses": "p = (1/2), q = (1): KL = -log(2)/2 < 0",
        "q > 0": "convenience: p ≪ q with zeros is relative_entropy_with_zeros_is_nonnegative",
    },
    example="p = (1/2, 1/2, 0), q = (1/4, 1/4, 1/2): KL(p || q) = log 2",
)
def relative_entropy_is_nonnegative():
    claim(KL(p, q, a) >= 0, by(gibbs["nonnegative"]))
    claim(Implies(Equal(KL(p, q, a), 0), Equal(p(a), q(a))), by(gibbs["zero_only_at_equality"]))
    claim(
        Implies(ForAll(a, Equal(p(a), q(a))), Equal(KL(p, q, a), 0)), by(gibbs["zero_at_equality"])
    )
