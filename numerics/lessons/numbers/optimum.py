"""Numbers of the tilted optimum."""

import torch
from torch import Tensor

from numerics.lessons.divergence import law
from numerics.lessons.numbers import TRUST_REGIONS, number
from numerics.lessons.tilted import Optimum, optimum


def three(beta: float) -> Optimum:
    """The lesson's three responses."""
    return optimum(law(0.5, 0.3, 0.2), law(0.0, 1.0, 2.0), beta)


def half() -> Optimum:
    """The exercise with two responses."""
    return optimum(law(0.5, 0.5), law(1.0, 0.0), 0.5)


@number("optimum.b1.Z", TRUST_REGIONS, "Z of three responses, beta 1", 2.7933, 5e-5)
def partition() -> Tensor:
    return three(1.0).partition


@number("optimum.b1.policy", TRUST_REGIONS, "their optimum", (0.179, 0.292, 0.529), 0.0005)
def policy() -> Tensor:
    return three(1.0).policy


@number("optimum.b1.reward", TRUST_REGIONS, "its expected reward", 1.35, 0.0005)
def reward() -> Tensor:
    return three(1.0).reward


@number("optimum.b1.kl", TRUST_REGIONS, "its KL from the reference", 0.323, 0.0005)
def kl() -> Tensor:
    return three(1.0).divergence


@number("optimum.b1.value", TRUST_REGIONS, "its objective, and log Z", 1.0272, 5e-5)
def value() -> Tensor:
    return torch.stack([three(1.0).value, three(1.0).log_partition])


@number(
    "optimum.b1.penalised",
    TRUST_REGIONS,
    "penalised reward of each response",
    (1.0272, 1.0272, 1.0272),
    5e-5,
)
def penalised() -> Tensor:
    return three(1.0).penalised


@number(
    "optimum.b01.kl",
    TRUST_REGIONS,
    "KL at beta 0.1",
    1.609,
    0.0005,
    note="log 5 = 1.6094 is its limit for beta to 0; the lesson writes that they are equal",
)
def kl_at_small_beta() -> Tensor:
    return three(0.1).divergence


@number("optimum.b10.policy", TRUST_REGIONS, "optimum at beta 10", (0.465, 0.308, 0.227), 0.0005)
def policy_at_large_beta() -> Tensor:
    return three(10.0).policy


@number("optimum.half.Z", TRUST_REGIONS, "Z of two responses, beta 0.5", 4.195, 0.0005)
def partition_of_two() -> Tensor:
    return half().partition


@number("optimum.half.policy", TRUST_REGIONS, "their optimum, sigma(2)", (0.881, 0.119), 0.0005)
def policy_of_two() -> Tensor:
    return half().policy
