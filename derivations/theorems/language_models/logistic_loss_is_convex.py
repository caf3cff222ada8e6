"""The logistic loss L(z) = -log sigma(z) has slope -sigma(-z) and is strictly convex.

L lies above each of its tangents, L(u) >= L(v) - sigma(-v)(u - v): with A = 1 + exp(-u) and
B = 1 + exp(-v), the mean sigma(v) + sigma(-v) exp(v - u) is A/B, and its logarithm is at least the
mean of the logarithms.  Convexity is the sum of two tangents at s u + t v.
Boyd and Vandenberghe, Convex Optimization (2004), section 3.1.
"""

from derivations.language.preferences import logistic_loss as loss
from derivations.language.preferences import sigmoid
from derivations.language.syntax import Derivative, Equal, ForAll, Implies, exp, reals
from derivations.tactics.book import assuming, by, claim, conclude, forall
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.logarithm_bound_of_a_ratio import (
    logarithm_bound_of_a_ratio as ratio_bound,
)

z, c, u, v, s, t = reals("z", "c", "u", "v", "s", "t")
A, B = 1 + exp(-u), 1 + exp(-v)
between = s * u + t * v

weights = (s >= 0, t >= 0, Equal(s + t, 1))


@theorem(
    says=lambda: {
        "slope": ForAll(c, Derivative(loss(z), z, c, -sigmoid(-c))),
        "curvature": ForAll(c, Derivative(-sigmoid(-z), z, c, sigmoid(c) * sigmoid(-c))),
        "curvature_is_positive": ForAll(c, sigmoid(c) * sigmoid(-c) > 0),
        "tangent": ForAll([u, v], loss(u) >= loss(v) - sigmoid(-v) * (u - v)),
        "convex": ForAll(
            [u, v, s, t],
            Implies(*weights, loss(between) <= s * loss(u) + t * loss(v)),
        ),
    },
    example=(
        "L(-1) = 1.3133, L(0) = 0.6931, L(1) = 0.3133: the middle one lies under the mean of the "
        "others, 0.8133."
    ),
)
def logistic_loss_is_convex():
    forall(claim(Derivative(loss(z), z, c, -sigmoid(-c)), by()), c)
    forall(claim(Derivative(-sigmoid(-z), z, c, sigmoid(c) * sigmoid(-c)), by()), c)
    forall(claim(sigmoid(c) * sigmoid(-c) > 0, by()), c)
    tangent = claim(
        loss(u) >= loss(v) - sigmoid(-v) * (u - v),
        by(ratio_bound(B, A, 0), ratio_bound(B, A, v - u), divide=A),
    )
    tangent = forall(tangent, u, v)
    with assuming(*weights, name="weights") as mixing:
        mixed = claim(
            loss(between) <= s * loss(u) + t * loss(v),
            by(tangent(u, between), tangent(v, between), mixing),
        )
    conclude(mixing, mixed, forall=(u, v, s, t))
