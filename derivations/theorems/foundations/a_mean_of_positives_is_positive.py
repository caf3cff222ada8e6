"""A sum of positive numbers under weights that are not all zero is positive.

p >= 0 with a positive sum, g > 0.  With M = sum_b 1/g(b), each p(a) is at most M p(a) g(a).
Hardy, Littlewood and Polya, Inequalities, section 2.2.
"""

from derivations.language.reasons import given
from derivations.language.syntax import Sum, functions, members
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms

a = members("A", "a")
p, g = functions("p g", "A")
p_nonneg, g_positive = given(p(a) >= 0, "p ≥ 0"), given(g(a) > 0, "g > 0")
some_mass = given(Sum(p(a), a) > 0, "p has some mass")
M = Sum(1 / g(a), a)


@theorem(
    says=lambda: {"positive": Sum(p(a) * g(a), a) > 0}, given=[p_nonneg, some_mass, g_positive]
)
def a_mean_of_positives_is_positive():
    member = zero_sum_has_zero_terms["bound"].at(f=lambda a: 1 / g(a))
    bound = claim(1 / g(a) <= M, by(member), "1/g is at most M")
    weighted = claim(p(a) <= M * p(a) * g(a), by(bound), "so p is at most M p g")
    total = claim(Sum(p(a), a) <= M * Sum(p(a) * g(a), a), by(weighted), "summed")
    claim(Sum(p(a) * g(a), a) > 0, by(total, some_mass, divide=M))
