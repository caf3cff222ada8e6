"""A sum of non-negative terms is at least each of its terms, and when it is zero, all of them are.

f(a) >= 0 for every a in a finite set.  Hardy, Littlewood and Polya, Inequalities, section 2.1, use
it without a name.
"""

from derivations.language.reasons import given
from derivations.language.syntax import AtMost, Equal, Implies, Sum, delta, function, members
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

a, b = members("A", "a", "b")
f = function("f", a)
f_nonneg = given(f(a) >= 0, "f ≥ 0")


@theorem(
    says=lambda: {
        "bound": AtMost(f(b), Sum(f(a), a)),
        "zero": Implies(Equal(Sum(f(a), a), 0), Equal(f(b), 0)),
    },
    given=[f_nonneg],
)
def zero_sum_has_zero_terms():
    others = claim((1 - delta(a, b)) * f(a) >= 0, by(f_nonneg, letters=(a, b)), "other terms")
    bound = claim(f(b) <= Sum(f(a), a), by(others), "a term is at most the sum")
    with assuming(Equal(Sum(f(a), a), 0), name="the sum is zero") as zero:
        each = claim(Equal(f(b), 0), by(bound, f_nonneg, zero))
    conclude(zero, each)
