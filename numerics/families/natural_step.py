"""The step of a natural gradient: a gradient, a Fisher matrix and a largest divergence give the
change of the parameters [V].

gradient [V] (of what is maximised); fisher [V,V] (positive definite); delta a number: the largest
(step . fisher . step) / 2
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

STIFF = {"near": 0.1, "moderate": 1.0, "far": 3.0}  # spread of the logarithms of the eigenvalues


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Fisher matrices that are nearly round, usual, stretched; two sizes of delta."""
    size, rng = shape["V"], generator(seed)
    frame = torch.linalg.qr(torch.randn(size, size, generator=rng, dtype=torch.float64)).Q
    spread = STIFF[regime] * torch.randn(size, generator=rng, dtype=torch.float64)
    fisher = frame @ torch.diag(spread.exp()) @ frame.T
    return {
        "gradient": torch.randn(size, generator=rng, dtype=torch.float64),
        "fisher": (fisher + fisher.T) / 2,
        "delta": torch.tensor((0.01, 0.5)[seed % 2], dtype=torch.float64),
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """Whether the matrix is far from round, and the size of delta."""
    values = torch.linalg.eigvalsh(inputs["fisher"])
    return {
        "condition above 3": int(float(values[-1] / values[0]) > 3),
        "delta below 0.1": int(float(inputs["delta"]) < 0.1),
        "delta above 0.1": int(float(inputs["delta"]) > 0.1),
    }


FAMILY = Family(
    name="natural_step",
    arguments=(
        Argument("gradient", ("V",), "gradient of what is maximised"),
        Argument("fisher", ("VV",), "Fisher matrix"),
        Argument("delta", ("",), "the largest divergence allowed"),
    ),
    required=frozenset({"gradient", "fisher", "delta"}),
    differentiated="gradient",
    sample=sample,
    coverage=coverage,
    results=("V",),
    held=True,
    shapes=({"V": 2}, {"V": 4}),
)
