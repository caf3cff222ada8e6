"""The tilted reference is the unique optimum of reward minus beta KL.

Over all distributions p << ref, zeros allowed in both, beta > 0: with the partition function
Z = sum ref exp(r/beta) and p*(y) = ref(y) exp(r(y)/beta)/Z,

    E_p[r] - beta KL(p || ref) = beta log Z - beta KL(p || p*),

so the objective is at most beta log Z, and p* alone attains it.
Rafailov et al. (2023), appendix A.1; Korbak et al., RL with KL penalties (2022).
"""

from derivations.language.preferences import beta, beta_positive, partition, tilt
from derivations.language.probability import KL, distribution, dominated, expectation, rel_entr
from derivations.language.syntax import Equal, Implies, Sum, exp, functions, log, members, reals
from derivations.tactics.book import assuming, by, calc, claim, conclude
from derivations.tactics.theorem import theorem
from derivations.theorems.foundations.a_mean_of_positives_is_positive import (
    a_mean_of_positives_is_positive as positive_mean,
)
from derivations.theorems.foundations.relative_entropy_with_zeros_is_nonnegative import (
    relative_entropy_with_zeros_is_nonnegative as gibbs,
)

y = members("Y", "y")
Z = reals("Z")
p, ref, r = functions("p pi_ref r", "Y")
p_, ref_, p_in_ref = distribution(p, y), distribution(ref, y), dominated(p, ref, y)
Z_ = partition(Z, ref, r, y)
star = tilt(ref, r, Z)
objective = lambda p: expectation(p, r, y) - beta * KL(p, ref, y)


@theorem(
    says=lambda: {
        "value": Equal(objective(p), beta * log(Z) - beta * KL(p, star, y)),
        "bound": objective(p) <= beta * log(Z),
        "tilt_is_nonnegative": star(y) >= 0,
        "tilt_sums_to_one": Equal(Sum(star(y), y), 1),
        "tilt_is_supported": Implies(star(y) > 0, ref(y) > 0),
        "attained": Equal(objective(star), beta * log(Z)),
        "unique": Implies(Equal(objective(p), beta * log(Z)), Equal(p(y), star(y))),
    },
    given=[p_, ref_, p_in_ref, beta_positive, Z_],
    why={
        "β > 0": "β = -1, π_ref = (1/2, 1/2), r = 0: p = (1, 0) has log 2 > β log Z = 0",
        "p ≪ pi_ref": "elsewhere KL(p || π_ref) is infinite",
        "pi_ref sums to one": "convenience: some mass is enough",
    },
    example="π_ref = (1/2, 1/2), r = (1, 0), β = 1: p* = (0.731, 0.269), value log Z = 0.620",
)
def tilted_reference_is_the_unique_optimum():
    mean = positive_mean.at(A="Y", p=ref, g=lambda y: exp(r(y) / beta))
    claim(Z > 0, by(Z_, mean), "Z > 0")
    claim(Equal(Sum(star(y), y), 1), by(Z_), "the tilt sums to one")
    claim(star(y) >= 0, by(ref_.nonneg), "the tilt is ≥ 0")
    with assuming(star(y) > 0, name="p*(y) > 0") as inside:
        support = claim(ref(y) > 0, by(inside, divide=exp(r(y) / beta) / Z))
    conclude(inside, support, "the tilt ≪ π_ref")
    with assuming(p(y) > 0, name="p(y) > 0") as inside:
        support = claim(star(y) > 0, by(p_in_ref(y), inside))
    conclude(inside, support, "p ≪ the tilt")

    log_of_tilt = claim(
        Equal(rel_entr(p(y), star(y)), rel_entr(p(y), ref(y)) - p(y) * r(y) / beta + p(y) * log(Z)),
        by(p_in_ref, split=p(y)),
        "the logarithm of the tilt",
    )
    value = claim(
        Equal(objective(p), beta * log(Z) - beta * KL(p, star, y)),
        by(log_of_tilt, p_.total),
        "value",
    )
    claim(
        calc(
            objective(p),
            ("=", beta * log(Z) - beta * KL(p, star, y), by(value)),
            ("<=", beta * log(Z), by(gibbs["nonnegative"].at(A="Y", q=star))),
        ),
        name="bound",
    )
    no_distance = claim(Equal(rel_entr(star(y), star(y)), 0), by(split=ref(y)))
    claim(
        calc(
            objective(star),
            ("=", beta * log(Z) - beta * KL(star, star, y), by(value.at(p=star))),
            ("=", beta * log(Z), by(no_distance)),
        ),
        name="attained",
    )

    with assuming(Equal(objective(p), beta * log(Z)), name="p is optimal") as optimal:
        close = claim(Equal(KL(p, star, y), 0), by(value, optimal), "p is at no distance")
        same = claim(
            Equal(p(y), star(y)), by(gibbs["zero_only_at_equality"].at(A="Y", q=star), close)
        )
    conclude(optimal, same, "unique")
