"""sum_i a_i log(a_i/b_i) >= A log(A/B), where A and B are the sums of a >= 0 and b > 0.

Term by term a log(a/b) - a log(A/B) >= a - b A/B, by log x <= x - 1 at x = (b/B)(A/a); for A = 0
both sides are zero.  Cover and Thomas, Elements of Information Theory, 2nd ed., theorem 2.7.1.
"""

from derivations.language.probability import log_bound, rel_entr
from derivations.language.reasons import given
from derivations.language.syntax import Sum, functions, log, members, reals
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.zero_sum_has_zero_terms import zero_sum_has_zero_terms

i = members("I", "i")
x, y, u, v = reals("x", "y", "u", "v")
a, b = functions("a b", "I")
a_nonneg, b_positive = given(a(i) >= 0, "a ≥ 0"), given(b(i) > 0, "b > 0")
A, B = Sum(a(i), i), Sum(b(i), i)
whole = Sum(rel_entr(a(i), b(i)), i)


@theorem(
    says=lambda: {"bound": rel_entr(A, B) <= whole},
    given=[a_nonneg, b_positive],
    why={
        "a ≥ 0": "a negative number has no logarithm",
        "b > 0": "b(i) = 0 < a(i) makes the right side infinite",
    },
    example="a = (1, 3), b = (1, 1): 1 log 1 + 3 log 3 = 3.296, at least 4 log(4/2) = 2.773.",
)
def log_sum_inequality():
    with assuming(x >= 0, y > 0, u > 0, v > 0, name="signs") as signs:
        term = claim(
            x * log(u / v) + x - y * u / v <= rel_entr(x, y),
            by(log_bound(y * u / (x * v)), split=x),
            "one term",
        )
    term = conclude(signs, term, forall=(x, y, u, v))
    with assuming(A > 0, name="A > 0") as mass:
        each = claim(
            a(i) * log(A / B) + a(i) - b(i) * A / B <= rel_entr(a(i), b(i)),
            by(term(a(i), b(i), A, B), mass),
            "every term",
        )
        bound = claim(rel_entr(A, B) <= whole, by(each, divide=B))
    bound = conclude(mass, bound, "positive mass")
    none = zero_sum_has_zero_terms["zero"].at(A="I", f=a)
    claim(rel_entr(A, B) <= whole, by(bound, none, split=A))
