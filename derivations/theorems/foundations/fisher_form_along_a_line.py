"""Along a line theta0 + t Delta, relative entropy is t^2 Delta^T F Delta/2 to leading order.

p(t, a) is the family on the line; s(i, a) = grad_i log p at theta0, so that its slope at t = 0 is
p(0, a) sum_i Delta_i s(i, a), and F(i, j) = E[s(i, .) s(j, .)] is the Fisher matrix.
Kullback, Information Theory and Statistics (1959), section 2.6; Schulman et al. (2015), appendix C.
"""

from derivations.kernel.terms import REAL
from derivations.language.probability import KL, smooth_family
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    Limit,
    Sum,
    function,
    members,
    reals,
)
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.relative_entropy_is_locally_the_fisher_quadratic import (
    relative_entropy_is_locally_the_fisher_quadratic as local,
)

a = members("A", "a")
i, j = members("I", "i", "j")
t, v, delta = reals("t", "v", "delta")
p, dp, ddp = function("p", REAL, a), function("dp", REAL, a), function("ddp", a)
s, direction = function("s", i, a), function("Delta", i)
family = smooth_family(p, dp, a, 0, delta)
second = given(Derivative(dp(v, a), v, 0, ddp(a)), "∂²p is the slope of ∂p at 0")
along = given(
    Equal(dp(0, a), p(0, a) * Sum(direction(i) * s(i, a), i)), "the score along the line is Δ · s"
)
fisher = lambda i, j: Sum(p(0, a) * s(i, a) * s(j, a), a)
form = Sum(direction(i) * fisher(i, j) * direction(j), j, i)
start, there = (lambda a: p(0, a)), (lambda a: p(t, a))


@theorem(
    says=lambda: {
        "form": Equal(Sum(p(0, a) * (dp(0, a) / p(0, a)) ** 2, a), form),
        "forward": Limit(KL(start, there, a) / t**2, t, 0, form / 2),
        "reverse": Limit(KL(there, start, a) / t**2, t, 0, form / 2),
    },
    given=[family, second, along],
)
def fisher_form_along_a_line():
    claim(p(0, a) > 0, by(family.positive, family.delta), "p(0) > 0")
    square = claim(Equal(Sum(p(0, a) * (dp(0, a) / p(0, a)) ** 2, a), form), by(along), "the form")
    claim(
        Limit(KL(start, there, a) / t**2, t, 0, form / 2),
        by(local["forward_limit"].at(theta0=0), square),
    )
    claim(
        Limit(KL(there, start, a) / t**2, t, 0, form / 2),
        by(local["reverse_limit"].at(theta0=0), square),
    )
