"""Controllers of a penalty: the weight, the measured divergence and its target give a new weight.

beta, kl (nats, of sequences or of tokens, as the target is), target numbers; gives a number
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

QUOTIENTS = (0.3, 3.0, 1.0, 0.9, 1.1, 30.0)  # of the divergence and its target, by seed


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """A divergence below, above and at its target."""
    rng = generator(seed)
    beta, target = (0.1 + float(torch.rand((), generator=rng)) for _ in range(2))
    scale = {"near": 1.0, "moderate": 5.0, "far": 0.01}[regime]
    numbers = {
        "beta": beta,
        "kl": QUOTIENTS[seed % len(QUOTIENTS)] * scale * target,
        "target": scale * target,
    }
    return {name: torch.tensor(x, dtype=torch.float64) for name, x in numbers.items()}


def coverage(inputs: Inputs) -> dict[str, int]:
    """On which side of the target the divergence lies."""
    kl, target = float(inputs["kl"]), float(inputs["target"])
    return {"below the target": int(kl < target), "above the target": int(kl > target)}


FAMILY = Family(
    name="penalty_controller",
    arguments=(
        Argument("beta", ("",), "weight of the penalty"),
        Argument("kl", ("",), "divergence that was measured"),
        Argument("target", ("",), "divergence that is wanted"),
    ),
    required=frozenset({"beta", "kl", "target"}),
    differentiated="kl",
    sample=sample,
    coverage=coverage,
    held=True,
    shapes=({},),
)
