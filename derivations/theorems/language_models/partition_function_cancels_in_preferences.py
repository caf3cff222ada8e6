"""The partition function cancels in preferences, which gives direct preference optimisation.

The optimum of reward minus beta KL is p*(y|x) = ref(y|x) exp(r(y, x)/beta)/Z(x), hence
r(y, x) = beta log(p*(y|x)/ref(y|x)) + beta log Z(x): differences of rewards, and with them the
Bradley-Terry preferences, are those of the implicit reward beta log(p/ref).  Its Bradley-Terry loss
is the DPO loss, with the gradient -beta sigma(-margin)(grad log pi(y|x) - grad log pi(y'|x)).
Rewards have the same optimum exactly when they differ by a function of the prompt.
Rafailov et al. (2023), sections 4 and 5.1.
"""

from derivations.kernel.terms import REAL
from derivations.language.preferences import (
    beta,
    beta_positive,
    bradley_terry,
    dpo_loss,
    implicit_reward,
    logistic_loss,
    margin,
    partition,
    preference_loss,
    responses,
    sigmoid,
    tilt,
    x,
    y,
    y2,
)
from derivations.language.probability import KL
from derivations.language.reasons import given
from derivations.language.syntax import (
    Derivative,
    Equal,
    ForAll,
    Implies,
    Sum,
    exp,
    function,
    functions,
    log,
    reals,
)
from derivations.tactics.book import assuming, by, calc, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.exponential_is_injective import exponential_is_injective
from derivations.theorems.language_models.bradley_terry_ignores_prompt_shifts import (
    bradley_terry_ignores_prompt_shifts,
)
from derivations.theorems.language_models.tilted_reference_is_the_unique_optimum import (
    tilted_reference_is_the_unique_optimum as optimum,
)

pi, ref, r, r2, dpi = functions("pi pi_ref r r2 dpi", y, x)
Z, Z2 = functions("Z Z2", x)
c, data, pi_theta = function("c", x), function("D", x, y, y2), function("pi_theta", REAL, y, x)
theta, theta0 = reals("theta", "theta0")
here = lambda f: lambda y: f(y, x)
star = lambda y, x: tilt(here(ref), here(r), Z(x))(y)
star2 = lambda y, x: tilt(here(ref), here(r2), Z2(x))(y)
learned = lambda y, x: pi_theta(theta, y, x)
start = lambda y, x: pi_theta(theta0, y, x)
objective = lambda p: Sum(p(y, x) * r(y, x), y) - beta * KL(here(p), here(ref), y)
score = lambda y, x: dpi(y, x) / pi_theta(theta0, y, x)
push = sigmoid(-margin(start, ref)) * (score(y, x) - score(y2, x))

policy, reference = responses(pi), responses(ref)
full = given(ref(y, x) > 0, "π_ref > 0")
pi_full = given(pi(y, x) > 0, "π > 0")
Z_, Z2_ = partition(Z(x), here(ref), here(r), y), partition(Z2(x), here(ref), here(r2), y)
theta_full = given(ForAll(theta, learned(y, x) > 0), "π_θ > 0")
slope = given(Derivative(learned(y, x), theta, theta0, dpi(y, x)), "∂π is the slope of π_θ")
gradient = Derivative(
    dpo_loss(data, learned, ref), theta, theta0, -beta * Sum(data(x, y, y2) * push, y2, y, x)
)


@theorem(
    says=lambda: {
        "optimal": objective(pi) <= objective(star),
        "reward": Equal(r(y, x), implicit_reward(star, ref)(y, x) + beta * log(Z(x))),
        "cancels": Equal(r(y, x) - r(y2, x), margin(star, ref)),
        "preferences": Equal(bradley_terry(r(y, x), r(y2, x)), sigmoid(margin(star, ref))),
        "loss": Equal(dpo_loss(data, pi, ref), preference_loss(data, implicit_reward(pi, ref))),
        "score": Derivative(log(learned(y, x)), theta, theta0, score(y, x)),
        "gradient": gradient,
        "margin_at_the_reference": Implies(
            ForAll([y, x], Equal(pi(y, x), ref(y, x))), Equal(margin(pi, ref), 0)
        ),
        "loss_at_the_reference": Implies(
            ForAll([y, x], Equal(pi(y, x), ref(y, x))),
            Equal(logistic_loss(margin(pi, ref)), log(2)),
        ),
        "shifts_keep_the_optimum": Implies(
            ForAll([y, x], Equal(r2(y, x), r(y, x) + c(x))), Equal(star2(y, x), star(y, x))
        ),
        "only_shifts_keep_it": Implies(
            ForAll([y, x], Equal(star2(y, x), star(y, x))),
            Equal(r2(y, x), r(y, x) + beta * (log(Z2(x)) - log(Z(x)))),
        ),
    },
    given=[
        *(policy, reference, full, pi_full, beta_positive, Z_, Z2_),
        *(theta_full, slope),
    ],
)
def partition_function_cancels_in_preferences():
    claim(Z(x) > 0, by(Z_), "Z > 0")
    claim(Z2(x) > 0, by(Z2_), "Z2 > 0")
    prompt = {"pi_ref": here(ref), "r": here(r), "Z": Z(x)}
    claim(
        calc(
            objective(pi),
            ("<=", beta * log(Z(x)), by(optimum["bound"].at(p=here(pi), **prompt))),
            ("=", objective(star), by(optimum["attained"].at(**prompt))),
        ),
        name="π* is optimal",
    )
    reward = claim(
        Equal(r(y, x), implicit_reward(star, ref)(y, x) + beta * log(Z(x))), by(), "the reward"
    )
    cancels = claim(Equal(r(y, x) - r(y2, x), margin(star, ref)), by(reward), "Z cancels")
    logistic = bradley_terry_ignores_prompt_shifts["logistic"]
    claim(
        calc(
            bradley_terry(r(y, x), r(y2, x)),
            ("=", sigmoid(r(y, x) - r(y2, x)), by(logistic)),
            ("=", sigmoid(margin(star, ref)), by(cancels)),
        ),
        name="preferences",
    )
    implicit = implicit_reward(pi, ref)
    one_pair = claim(
        Equal(bradley_terry(implicit(y, x), implicit(y2, x)), sigmoid(margin(pi, ref))),
        by(logistic.at(r=implicit)),
        "preferences by the implicit reward",
    )
    claim(Equal(dpo_loss(data, pi, ref), preference_loss(data, implicit)), by(one_pair), "loss")

    claim(Derivative(log(learned(y, x)), theta, theta0, score(y, x)), by(slope), "score")
    pair = claim(
        Derivative(log(sigmoid(margin(learned, ref))), theta, theta0, beta * push),
        by(slope),
        "the slope of one pair",
    )
    claim(gradient, by(pair))

    with assuming(ForAll([y, x], Equal(pi(y, x), ref(y, x))), name="π = π_ref") as same:
        zero = claim(Equal(margin(pi, ref), 0), by(same), "no margin")
        two = claim(Equal(logistic_loss(margin(pi, ref)), log(2)), by(zero), "log 2")
    conclude(same, zero)
    conclude(same, two)

    with assuming(ForAll([y, x], Equal(r2(y, x), r(y, x) + c(x))), name="r2 = r + c") as shift:
        scaled = claim(Equal(Z2(x), exp(c(x) / beta) * Z(x)), by(Z2_, Z_, shift), "Z2")
        kept = claim(Equal(star2(y, x), star(y, x)), by(scaled, shift))
    conclude(shift, kept)
    with assuming(ForAll([y, x], Equal(star2(y, x), star(y, x))), name="one optimum") as one:
        left, right = r2(y, x) / beta + log(Z(x)), r(y, x) / beta + log(Z2(x))
        powers = claim(Equal(exp(left), exp(right)), by(one, divide=ref(y, x)), "powers")
        shifted = claim(
            Equal(r2(y, x), r(y, x) + beta * (log(Z2(x)) - log(Z(x)))),
            by(exponential_is_injective(left, right), powers),
        )
    conclude(one, shifted)
