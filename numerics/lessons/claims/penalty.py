"""Claims about beta and the optimum of the penalised reward."""

from numerics.lessons.claims import Example, claim
from numerics.lessons.divergence import law
from numerics.lessons.over_optimisation import bought
from numerics.lessons.tilted import optimum


@claim(
    1,
    "Halving beta quadruples the distance that the policy travels.",
    "With d = sqrt(KL) the distance doubles and KL = d^2 quadruples. The reward, linear in d, is "
    "1/(2 beta), the objective 1/(4 beta): both double.",
    "language_models.halving_beta_quadruples_the_divergence",
)
def the_distance_doubles() -> Example:
    wide, narrow = bought(0.25), bought(0.5)
    values = {
        "distance": wide.distance / narrow.distance,
        "KL": wide.divergence / narrow.divergence,
        "reward": wide.reward / narrow.reward,
        "objective": wide.objective / narrow.objective,
    }
    text = f"beta from 0.5 to 0.25: d {narrow.distance:g} to {wide.distance:g}, KL "
    text += f"{narrow.divergence:g} to {wide.divergence:g}, reward {narrow.reward:g} to "
    text += f"{wide.reward:g}, objective {narrow.objective:g} to {wide.objective:g}."
    return Example(text, values, list(values.values()) == [2.0, 4.0, 2.0, 2.0])


@claim(
    11,
    "A small beta puts all mass on the best response.",
    "On the best ones among those that the reference can produce; ties share the mass in "
    "proportion to the reference.",
    "language_models.small_beta_concentrates_on_the_best_supported_responses",
)
def ties_and_supports() -> Example:
    best = optimum(law(0.5, 0.3, 0.2, 0.0), law(1.0, 1.0, 0.0, 5.0), 0.02).policy
    text = "ref = (.5,.3,.2,0), r = (1,1,0,5), beta = 0.02: optimum ("
    text += ", ".join(f"{p:.3f}" for p in best.tolist()) + ")."
    values = {f"response {n}": p for n, p in enumerate(best.tolist(), 1)}
    holds = float((best - law(0.625, 0.375, 0.0, 0.0)).abs().max()) < 1e-12 and float(best[3]) == 0
    return Example(text, values, holds)
