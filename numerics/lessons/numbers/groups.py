"""Numbers of group advantages."""

from torch import Tensor

from numerics.lessons.divergence import law
from numerics.lessons.group_advantages import SAMPLE, leave_one_out, normalised
from numerics.lessons.numbers import TRUST_REGIONS, number

THREE = law(0.8, 0.2, 0.5)
THIRD = 1 / 3


@number("rloo.three", TRUST_REGIONS, "RLOO of (0.8, 0.2, 0.5)", (0.45, -0.45, 0.0), 5e-10)
def leave_one_out_of_three() -> Tensor:
    return leave_one_out(THREE)


@number("grpo.population", TRUST_REGIONS, "GRPO, population std", (1.22, -1.22, 0.0), 0.005)
def population() -> Tensor:
    return normalised(THREE)


@number("grpo.sample", TRUST_REGIONS, "GRPO, sample std", (1.0, -1.0, 0.0), 5e-10)
def sample() -> Tensor:
    return normalised(THREE, correction=SAMPLE)


@number(
    "rloo.one-of-four",
    TRUST_REGIONS,
    "RLOO of (1, 0, 0, 0)",
    (1.0, -THIRD, -THIRD, -THIRD),
    5e-10,
)
def one_of_four() -> Tensor:
    return leave_one_out(law(1.0, 0.0, 0.0, 0.0))


@number("rloo.two", TRUST_REGIONS, "RLOO of (1, 0)", (1.0, -1.0), 5e-10)
def one_of_two() -> Tensor:
    return leave_one_out(law(1.0, 0.0))
