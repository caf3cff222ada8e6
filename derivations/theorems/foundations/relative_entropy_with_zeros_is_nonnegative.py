"""Relative entropy is not negative, zeros allowed on both sides, and vanishes only for p = q.

p, q >= 0 with p << q and equal masses, one or not.  Term by term p log(p/q) - p + q >= 0, by
log x <= x - 1 at x = q/p where p > 0; the sum of the gaps is KL(p || q).
Cover and Thomas, Elements of Information Theory, 2nd ed., theorem 2.6.3.
"""

from derivations.language.probability import KL, dominated, log_bound, rel_entr
from derivations.language.reasons import given
from derivations.language.syntax import Equal, ForAll, Implies, Sum, functions, members
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.logarithm_bound_is_strict import logarithm_bound_is_strict
from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms

a = members("A", "a")
p, q = functions("p q", "A")
p_nonneg, q_nonneg = given(p(a) >= 0, "p ≥ 0"), given(q(a) >= 0, "q ≥ 0")
p_in_q = dominated(p, q, a)
equal_mass = given(Equal(Sum(p(a), a), Sum(q(a), a)), "equal masses")
gap = lambda a: rel_entr(p(a), q(a)) - p(a) + q(a)


@theorem(
    says=lambda: {
        "nonnegative": KL(p, q, a) >= 0,
        "zero_only_at_equality": Implies(Equal(KL(p, q, a), 0), Equal(p(a), q(a))),
        "zero_at_equality": Implies(ForAll(a, Equal(p(a), q(a))), Equal(KL(p, q, a), 0)),
    },
    given=[p_nonneg, q_nonneg, p_in_q, equal_mass],
)
def relative_entropy_with_zeros_is_nonnegative():
    gaps = claim(gap(a) >= 0, by(log_bound(q(a) / p(a)), p_in_q, split=p(a)), "every gap is ≥ 0")
    total = claim(Equal(Sum(gap(a), a), KL(p, q, a)), by(equal_mass), "the gaps sum to KL")
    claim(KL(p, q, a) >= 0, by(gaps, total))
    with assuming(Equal(KL(p, q, a), 0), name="KL = 0") as zero:
        none = claim(Equal(Sum(gap(a), a), 0), by(total, zero), "the gaps sum to zero")
        each = claim(Equal(gap(a), 0), by(zero_sum_has_zero_terms["zero"].at(f=gap), none))
        strict = logarithm_bound_is_strict(q(a) / p(a))
        equal = claim(Equal(p(a), q(a)), by(each, strict, p_in_q, split=p(a)), "p is q")
    conclude(zero, equal)
    with assuming(ForAll(a, Equal(p(a), q(a))), name="p = q") as same:
        terms = claim(Equal(rel_entr(p(a), q(a)), 0), by(same, split=p(a)), "every term is zero")
        at_equality = claim(Equal(KL(p, q, a), 0), by(terms))
    conclude(same, at_equality)
