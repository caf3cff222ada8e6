"""Numbers of the divergence and its Fisher quadratic."""

from torch import Tensor

from numerics.lessons.divergence import fisher_quadratic, law, softmax_divergence
from numerics.lessons.numbers import TRUST_REGIONS, number

THETA, STEP = law(0.5, -0.2, 0.1), law(0.03, -0.02, 0.01)


@number("fisher.kl", TRUST_REGIONS, "KL of a small step in the logits", 0.0001918, 5e-8)
def exact() -> Tensor:
    return softmax_divergence(THETA, STEP)


@number("fisher.quadratic", TRUST_REGIONS, "half of step^T F step", 0.0001927, 5e-8)
def quadratic() -> Tensor:
    return fisher_quadratic(THETA, STEP)
