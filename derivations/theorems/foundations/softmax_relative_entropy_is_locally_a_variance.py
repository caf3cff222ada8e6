"""For softmax logits z + t Delta, KL/t^2 tends to half of Delta^T (diag(p) - p p^T) Delta.

The slope of p(t, b) is p(t, b) (Delta(b) - mean of Delta under p(t)), so the Fisher form of the
line is the variance of Delta under p(0), in both orientations.
Amari, Information Geometry and Its Applications (2016), section 2.2; Kakade (2001).
"""

from derivations.kernel.terms import REAL
from derivations.language.probability import KL
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Limit,
    Sum,
    delta,
    exp,
    function,
    functions,
    members,
    reals,
)
from derivations.tactics.book import by, claim, forall
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.relative_entropy_is_locally_the_fisher_quadratic import (
    relative_entropy_is_locally_the_fisher_quadratic as local,
)

a, b, c = members("A", "a", "b", "c")
t, v = reals("t", "v")
z, D = functions("z Delta", "A")
p = function("p", REAL, a)
softmax = lambda t, b: exp(z(b) + t * D(b)) / Sum(exp(z(c) + t * D(c)), c)
policy = given(ForAll(t, Equal(p(t, b), softmax(t, b))), "p(t) is the softmax of z + t Δ")
mean = lambda t: Sum(p(t, c) * D(c), c)
dp = lambda t, b: p(t, b) * (D(b) - mean(t))
ddp = lambda b: dp(0, b) * (D(b) - mean(0)) - p(0, b) * Sum(dp(0, c) * D(c), c)
fisher = lambda a, c: delta(a, c) * p(0, a) - p(0, a) * p(0, c)
form = Sum(D(a) * fisher(a, c) * D(c), c, a)
start, there = (lambda b: p(0, b)), (lambda b: p(t, b))
line = {"dp": dp, "ddp": ddp, "theta0": 0, "delta": 1}


@theorem(
    says=lambda: {
        "forward": Limit(KL(start, there, b) / t**2, t, 0, form / 2),
        "reverse": Limit(KL(there, start, b) / t**2, t, 0, form / 2),
    },
    given=[policy],
    why={
        "p(t) is the softmax of z + t Δ": "another family has another Fisher form",
    },
    example=(
        "z = (log 3, 0), Δ = (1, 0): the variance of Δ is 3/16, half of it 0.09375; at t = 0.01 "
        "the ratio KL/t² is 0.09359 forward and 0.09344 reverse."
    ),
)
def softmax_relative_entropy_is_locally_a_variance():
    forall(claim(p(t, b) > 0, by(policy), "p(t) > 0"), t)
    total = claim(Equal(Sum(p(t, b), b), 1), by(policy), "p(t) sums to one")
    total = forall(total, t)
    rate = claim(Derivative(softmax(v, b), v, t, dp(t, b)), by(policy), "slope of the softmax")
    slope = claim(
        Derivative(p(v, b), v, t, dp(t, b)), by(rate, policy, via=(v, softmax(v, b))), "slope of p"
    )
    slope = forall(slope, t)
    claim(Derivative(dp(v, b), v, 0, ddp(b)), by(slope), "second slope of p")
    square = claim(
        Equal(Sum(p(0, a) * (dp(0, a) / p(0, a)) ** 2, a), form),
        by(total),
        "the form is a variance",
    )
    claim(
        Limit(KL(start, there, b) / t**2, t, 0, form / 2),
        by(local["forward_limit"].at(**line), square),
    )
    claim(
        Limit(KL(there, start, b) / t**2, t, 0, form / 2),
        by(local["reverse_limit"].at(**line), square),
    )
