"""Numbers of what beta buys."""

from numerics.lessons.numbers import POLICY_OPTIMISATION, number
from numerics.lessons.over_optimisation import bought


@number("beta.half", POLICY_OPTIMISATION, "distance at beta 0.5", 1.0, 5e-10)
def at_half() -> float:
    return bought(0.5).distance


@number("beta.quarter", POLICY_OPTIMISATION, "distance at beta 0.25", 2.0, 5e-10)
def at_quarter() -> float:
    return bought(0.25).distance


@number(
    "beta.kl.ratio",
    POLICY_OPTIMISATION,
    "KL at half the beta, over KL",
    4.0,
    5e-10,
    note="the lesson says the distance grows fourfold; with its d = sqrt(KL) the distance doubles",
)
def ratio() -> float:
    return bought(0.25).divergence / bought(0.5).divergence
