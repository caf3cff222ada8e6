"""Two rewards have the same tilted reference exactly when they differ by a function of the prompt.

With p*(y|x) = ref(y|x) exp(r(y, x)/beta)/Z(x): a shift c(x) multiplies Z(x) by exp(c(x)/beta) and
cancels; conversely r' - r = beta (log Z'(x) - log Z(x)).  Rafailov et al. (2023), lemmas 1 and 2.
"""

from derivations.language.preferences import beta, beta_positive, partition, tilt, x, y
from derivations.language.reasons import given
from derivations.language.syntax import Equal, ForAll, Implies, exp, function, functions, log
from derivations.tactics.book import assuming, by, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.exponential_is_injective import exponential_is_injective

ref, r, r2 = functions("pi_ref r r2", y, x)
Z, Z2 = functions("Z Z2", x)
c = function("c", x)
here = lambda f: lambda y: f(y, x)
star = lambda y, x: tilt(here(ref), here(r), Z(x))(y)
star2 = lambda y, x: tilt(here(ref), here(r2), Z2(x))(y)
full = given(ref(y, x) > 0, "π_ref > 0")
Z_, Z2_ = partition(Z(x), here(ref), here(r), y), partition(Z2(x), here(ref), here(r2), y)
shifted = ForAll([y, x], Equal(r2(y, x), r(y, x) + c(x)))
one_optimum = ForAll([y, x], Equal(star2(y, x), star(y, x)))
shift = Equal(r2(y, x), r(y, x) + beta * (log(Z2(x)) - log(Z(x))))


@theorem(
    says=lambda: {
        "shifts_keep_the_optimum": Implies(shifted, Equal(star2(y, x), star(y, x))),
        "only_shifts_keep_it": Implies(one_optimum, shift),
    },
    given=[full, beta_positive, Z_, Z2_],
    why={
        "π_ref > 0": "π_ref = (1, 0): the reward of the second response can be anything",
        "β > 0": "β = 0: there is no tilted reference",
    },
    example=(
        "π_ref = (1/2, 1/2), β = 1, r = (1, 0), r′ = (3, 2): both optima are (0.731, 0.269), and "
        "r′ - r = 2 = log Z′ - log Z."
    ),
)
def rewards_with_one_optimum_differ_by_a_prompt_shift():
    claim(Z(x) > 0, by(Z_), "Z > 0")
    claim(Z2(x) > 0, by(Z2_), "Z2 > 0")
    with assuming(shifted, name="r2 = r + c") as moved:
        scaled = claim(Equal(Z2(x), exp(c(x) / beta) * Z(x)), by(Z2_, Z_, moved), "Z2")
        kept = claim(Equal(star2(y, x), star(y, x)), by(scaled, moved))
    conclude(moved, kept)
    with assuming(one_optimum, name="one optimum") as one:
        left, right = r2(y, x) / beta + log(Z(x)), r(y, x) / beta + log(Z2(x))
        powers = claim(Equal(exp(left), exp(right)), by(one, divide=ref(y, x)), "powers")
        apart = claim(shift, by(exponential_is_injective(left, right), powers))
    conclude(one, apart)
