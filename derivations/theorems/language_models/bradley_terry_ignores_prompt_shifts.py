"""Bradley-Terry preferences depend on reward differences only, through a convex loss.

Response y is preferred to y' with probability exp(r)/(exp(r) + exp(r')) = sigma(r - r'), so adding
c(x) to all rewards of a prompt changes no preference and no likelihood.  The loss -log sigma is
convex in the difference, and its gradient weighs each pair by the probability of the other order.
Which rewards the data determine is `connected_comparisons_identify_rewards`.
Bradley and Terry (1952); Rafailov et al. (2023), section 3.
"""

from derivations.kernel.terms import REAL
from derivations.language.preferences import (
    bradley_terry,
    logistic_loss,
    preference_loss,
    sigmoid,
    x,
    y,
    y2,
)
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Sum,
    function,
    functions,
    log,
    reals,
)
from derivations.tactics.book import by, claim
from derivations.tactics.theorem import theorem
from derivations.theorems.language_models.logistic_loss_is_convex import logistic_loss_is_convex

r, dr = functions("r dr", y, x)
c, data = function("c", x), function("D", x, y, y2)
r_theta = function("r_theta", REAL, y, x)
theta, theta0 = reals("theta", "theta0")
u, v, s, t = reals("u", "v", "s", "t")

shifted = lambda y, x: r(y, x) + c(x)
learned = lambda y, x: r_theta(theta, y, x)
wins = bradley_terry(r(y, x), r(y2, x))
wins_shifted = bradley_terry(shifted(y, x), shifted(y2, x))
slope = given(Derivative(learned(y, x), theta, theta0, dr(y, x)), "∂r is the slope of r")
lead = r_theta(theta0, y, x) - r_theta(theta0, y2, x)
push = sigmoid(-lead) * (dr(y, x) - dr(y2, x))
convex = ForAll(
    [u, v, s, t],
    Implies(
        *(s >= 0, t >= 0, Equal(s + t, 1)),
        logistic_loss(s * u + t * v) <= s * logistic_loss(u) + t * logistic_loss(v),
    ),
)
gradient = Derivative(
    preference_loss(data, learned), theta, theta0, -Sum(data(x, y, y2) * push, y2, y, x)
)


@theorem(
    says=lambda: {
        "logistic": Equal(wins, sigmoid(r(y, x) - r(y2, x))),
        "shift": Equal(wins_shifted, wins),
        "loss": Equal(-log(wins), logistic_loss(r(y, x) - r(y2, x))),
        "likelihood": Equal(preference_loss(data, shifted), preference_loss(data, r)),
        "convex": convex,
        "gradient": gradient,
    },
    given=[slope],
    example="r = (1, 0) and r = (6, 5): the first is preferred with probability 0.731",
    why={
        "∂r is the slope of r": (
            "it says what the gradient of the loss is taken through; the other parts need nothing"
        ),
    },
)
def bradley_terry_ignores_prompt_shifts():
    logistic = claim(Equal(wins, sigmoid(r(y, x) - r(y2, x))), by(), "the logistic form")
    shift = claim(Equal(wins_shifted, wins), by(), "a shift cancels")
    claim(Equal(-log(wins), logistic_loss(r(y, x) - r(y2, x))), by(logistic))
    claim(Equal(preference_loss(data, shifted), preference_loss(data, r)), by(shift))
    claim(convex, by(logistic_loss_is_convex["convex"]))
    each = claim(
        Derivative(log(bradley_terry(learned(y, x), learned(y2, x))), theta, theta0, push),
        by(slope),
        "one pair",
    )
    claim(gradient, by(each))
