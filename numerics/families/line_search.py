"""The choice of a step among tries: old parameters and K tries with their measured improvement and
divergence give new parameters [V].

theta_old [V]; tries [N,V] (the longest step first); improvement, divergence [N] (of the surrogate,
and KL to the old policy in nats, at each try); delta a number, the largest divergence allowed
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

DELTA = 0.01
KINDS = ("first", "later", "none", "worse")  # by seed: which try is acceptable


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The first try is good; a later one; none, for its divergence; none, for its improvement."""
    rng, count = generator(seed), shape["N"]
    old, step = (torch.randn(shape["V"], generator=rng, dtype=torch.float64) for _ in range(2))
    fractions = 0.5 ** torch.arange(count, dtype=torch.float64)
    kind = KINDS[seed % len(KINDS)]
    size = {"first": 0.5, "later": 2.0, "none": 4.0**count, "worse": 0.5}[kind]
    gain = -fractions if kind == "worse" else fractions
    return {
        "theta_old": old,
        "tries": old + fractions[:, None] * step,
        "improvement": {"near": 0.1, "moderate": 1.0, "far": 10.0}[regime] * gain,
        "divergence": size * DELTA * fractions**2,
        "delta": torch.tensor(DELTA, dtype=torch.float64),
    }


def acceptable(inputs: Inputs) -> Tensor:
    """[N]: tries that improve the surrogate inside the trust region."""
    return (inputs["improvement"] > 0) & (inputs["divergence"] <= inputs["delta"])


def coverage(inputs: Inputs) -> dict[str, int]:
    """Which try is the first good one."""
    good = acceptable(inputs)
    return {
        "first try good": int(good[0]),
        "a later try good": int(not good[0] and bool(good.any())),
        "no try good": int(not good.any()),
    }


FAMILY = Family(
    name="line_search",
    arguments=(
        Argument("theta_old", ("V",), "parameters before the update"),
        Argument("tries", ("NV",), "parameters of each try, the longest step first"),
        Argument("improvement", ("N",), "gain of the surrogate at each try"),
        Argument("divergence", ("N",), "KL to the old policy at each try"),
        Argument("delta", ("",), "the largest divergence allowed"),
    ),
    required=frozenset({"theta_old", "tries", "divergence"}),
    differentiated="theta_old",
    sample=sample,
    coverage=coverage,
    results=("V",),
    held=True,
    shapes=({"N": 3, "V": 2}, {"N": 6, "V": 3}),
)
