"""The partition function cancels in preferences, which gives direct preference optimisation.

The optimum of reward minus beta KL is p*(y|x) = ref(y|x) exp(r(y, x)/beta)/Z(x), hence
r(y, x) = beta log(p*(y|x)/ref(y|x)) + beta log Z(x): differences of rewards, and with them the
Bradley-Terry preferences, are those of the implicit reward beta log(p/ref).  Its Bradley-Terry loss
is the DPO loss, with the gradient -beta sigma(-margin)(grad log pi(y|x) - grad log pi(y'|x)).
Rewards have the same optimum exactly when they differ by a function of the prompt.
Rafailov et al. (2023), sections 4 and 5.1.
"""

from derivations.kernel.terms import REAL
from derivations.language import preferences as dpo
from derivations.language import syntax as say
from derivations.language.preferences import beta, x, y, y2
from derivations.language.probability import KL
from derivations.language.reasons import given
from derivations.language.syntax import Derivative, Equal, ForAll, Implies, Sum, functions, log
from derivations.tactics.book import assuming, by, calc, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.language_models.bradley_terry_ignores_prompt_shifts import (
    bradley_terry_ignores_prompt_shifts,
)
from derivations.theorems.language_models.rewards_with_one_optimum_differ_by_a_prompt_shift import (
    rewards_with_one_optimum_differ_by_a_prompt_shift as shift_class,
)
from derivations.theorems.language_models.tilted_reference_is_the_unique_optimum import (
    tilted_reference_is_the_unique_optimum as optimum,
)

sigmoid, wins = dpo.sigmoid, dpo.bradley_terry
pi, ref, r, r2, dpi = functions("pi pi_ref r r2 dpi", y, x)
Z, Z2 = functions("Z Z2", x)
data, pi_theta = say.function("D", x, y, y2), say.function("pi_theta", REAL, y, x)
theta, theta0 = say.reals("theta", "theta0")

here = lambda f: lambda y: f(y, x)
star = lambda y, x: dpo.tilt(here(ref), here(r), Z(x))(y)
learned = lambda y, x: pi_theta(theta, y, x)
start = lambda y, x: pi_theta(theta0, y, x)
reward = lambda pi: dpo.implicit_reward(pi, ref)
margin = lambda pi: dpo.margin(pi, ref)
loss = lambda pi: dpo.dpo_loss(data, pi, ref)
objective = lambda p: Sum(p(y, x) * r(y, x), y) - beta * KL(here(p), here(ref), y)
score = lambda y, x: dpi(y, x) / pi_theta(theta0, y, x)
push = beta * sigmoid(-margin(start)) * (score(y, x) - score(y2, x))
at_reference = ForAll([y, x], Equal(pi(y, x), ref(y, x)))

policies = dpo.responses(pi), dpo.responses(ref)
full = given(ref(y, x) > 0, "π_ref > 0"), given(pi(y, x) > 0, "π > 0")
Z_, Z2_ = dpo.partition(Z(x), here(ref), here(r), y), dpo.partition(Z2(x), here(ref), here(r2), y)
theta_full = given(ForAll(theta, learned(y, x) > 0), "π_θ > 0")
slope = given(Derivative(learned(y, x), theta, theta0, dpi(y, x)), "∂π is the slope of π_θ")
gradient = Derivative(loss(learned), theta, theta0, -Sum(data(x, y, y2) * push, y2, y, x))
shifts_keep_it, only_shifts_keep_it = shift_class.says().values()


@theorem(
    says=lambda: {
        "optimal": objective(pi) <= objective(star),
        "reward": Equal(r(y, x), reward(star)(y, x) + beta * log(Z(x))),
        "cancels": Equal(r(y, x) - r(y2, x), margin(star)),
        "preferences": Equal(wins(r(y, x), r(y2, x)), sigmoid(margin(star))),
        "loss": Equal(loss(pi), dpo.preference_loss(data, reward(pi))),
        "score": Derivative(log(learned(y, x)), theta, theta0, score(y, x)),
        "gradient": gradient,
        "margin_at_the_reference": Implies(at_reference, Equal(margin(pi), 0)),
        "loss_at_the_reference": Implies(at_reference, Equal(-log(sigmoid(margin(pi))), log(2))),
        "shifts_keep_the_optimum": shifts_keep_it,
        "only_shifts_keep_it": only_shifts_keep_it,
    },
    given=[*policies, *full, dpo.beta_positive, Z_, Z2_, theta_full, slope],
    why={"π_ref > 0": "a response that π_ref never gives has no log-ratio"},
    example="β = 0.1, log-ratios 0.2 and -0.3: margin 0.05, loss log(1 + exp(-0.05)) = 0.6685",
)
def partition_function_cancels_in_preferences():
    prompt = {"pi_ref": here(ref), "r": here(r), "Z": Z(x)}
    claim(
        calc(
            objective(pi),
            ("<=", beta * log(Z(x)), by(optimum["bound"].at(p=here(pi), **prompt))),
            ("=", objective(star), by(optimum["attained"].at(**prompt))),
        ),
        name="π* is optimal",
    )
    claim(Z(x) > 0, by(Z_), "Z > 0")
    claim(Z2(x) > 0, by(Z2_), "Z2 > 0")
    inverted = claim(Equal(r(y, x), reward(star)(y, x) + beta * log(Z(x))), by(), "the reward")
    cancels = claim(Equal(r(y, x) - r(y2, x), margin(star)), by(inverted), "Z cancels")
    logistic = bradley_terry_ignores_prompt_shifts["logistic"]
    claim(
        calc(
            wins(r(y, x), r(y2, x)),
            ("=", sigmoid(r(y, x) - r(y2, x)), by(logistic)),
            ("=", sigmoid(margin(star)), by(cancels)),
        ),
        name="preferences",
    )
    implicit = logistic.at(r=reward(pi))
    claim(Equal(loss(pi), dpo.preference_loss(data, reward(pi))), by(implicit), "loss")

    claim(Derivative(log(learned(y, x)), theta, theta0, score(y, x)), by(slope), "score")
    pair = claim(
        Derivative(log(sigmoid(margin(learned))), theta, theta0, push), by(slope), "one pair"
    )
    claim(gradient, by(pair))

    with assuming(at_reference, name="π = π_ref") as same:
        zero = claim(Equal(margin(pi), 0), by(same), "no margin")
        two = claim(Equal(-log(sigmoid(margin(pi))), log(2)), by(zero), "log 2")
    conclude(same, zero)
    conclude(same, two)
    claim(shifts_keep_it, by(shift_class["shifts_keep_the_optimum"]))
    claim(only_shifts_keep_it, by(shift_class["only_shifts_keep_it"]))
