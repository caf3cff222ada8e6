"""The softmax policy: score e_a - p, Fisher matrix diag(p) - p p^T, and its kernel.

p(b) = exp(z(b))/sum_c exp(z(c)).  Moving the logit of a alone changes log p(b) at the rate
delta(a, b) - p(a), so F(a, c) = delta(a, c) p(a) - p(a) p(c).  D^T F D is the variance of D under
p: never negative, and F D = 0 exactly for constant D, the shifts of all logits, which keep p.
Amari, Information Geometry and Its Applications (2016), section 2.2; Kakade (2001).
"""

from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Sum,
    delta,
    exp,
    functions,
    log,
    members,
    reals,
)
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem

a, b, c = members("A", "a", "b", "c")
t = reals("t")
p, z, D = functions("p z Delta", "A")
softmax = lambda z: lambda b: exp(z(b)) / Sum(exp(z(c)), c)
policy = given(Equal(p(b), softmax(z)(b)), "p is the softmax of z")
moved = lambda c: z(c) + t * delta(a, c)
score = lambda a, b: delta(a, b) - p(a)
fisher = lambda a, c: delta(a, c) * p(a) - p(a) * p(c)
form = Sum(D(a) * fisher(a, c) * D(c), c, a)
mean = Sum(p(c) * D(c), c)
image = lambda a: Sum(fisher(a, c) * D(c), c)


@theorem(
    says=lambda: {
        "positive": p(b) > 0,
        "total": Equal(Sum(p(b), b), 1),
        "score": Derivative(log(softmax(moved)(b)), t, 0, score(a, b)),
        "fisher": Equal(Sum(p(b) * score(a, b) * score(c, b), b), fisher(a, c)),
        "form": Equal(form, Sum(p(a) * (D(a) - mean) ** 2, a)),
        "semidefinite": form >= 0,
        "kernel": Implies(ForAll(a, Equal(image(a), 0)), Equal(D(a), D(b))),
        "constants": Implies(ForAll([a, b], Equal(D(a), D(b))), Equal(image(a), 0)),
    },
    given=[policy],
    why={
        "p is the softmax of z": (
            "p = (1, 0), which no logits give, has F = 0, so that every Δ is in the kernel"
        ),
    },
    example=(
        "z = (log 3, 0): p = (3/4, 1/4) and F = ((3/16, -3/16), (-3/16, 3/16)). Δ = (1, 0): Δ F Δ "
        "= 3/16; Δ = (1, 1): F Δ = (0, 0)."
    ),
)
def softmax_fisher_information():
    claim(p(b) > 0, by(policy), "p > 0")
    total = claim(Equal(Sum(p(b), b), 1), by(policy), "p sums to one")
    claim(Derivative(log(softmax(moved)(b)), t, 0, score(a, b)), by(policy), "score")
    claim(Equal(Sum(p(b) * score(a, b) * score(c, b), b), fisher(a, c)), by(total), "Fisher")
    square = claim(Equal(form, Sum(p(a) * (D(a) - mean) ** 2, a)), by(total), "a variance")
    claim(form >= 0, by(square))
    with assuming(ForAll(a, Equal(image(a), 0)), name="F Δ = 0") as null:
        centred = claim(Equal(D(a), mean), by(null, divide=p(a)), "Δ is its mean")
        same = claim(Equal(D(a), D(b)), by(centred))
    conclude(null, same)
    with assuming(ForAll([a, b], Equal(D(a), D(b))), name="Δ is constant") as constant:
        average = claim(Equal(mean, D(a)), by(constant, total), "its mean is its value")
        zero = claim(Equal(image(a), 0), by(average))
    conclude(constant, zero)
