"""Normalisation of a batch: x under a mask to mean zero and deviation one [B,T].

x, mask [B,T]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

LEVELS = {"near": (0.0, 1.0), "moderate": (3.0, 0.2), "far": (-1e3, 50.0)}  # mean, deviation


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Normal numbers of several means and deviations; what is masked lies far off."""
    rows, length = shape["B"], shape["T"]
    mean, deviation = LEVELS[regime]
    x = torch.randn(rows, length, generator=generator(seed), dtype=torch.float64)
    mask = response_mask(rows, length, seed)
    x = torch.where(mask > 0, mean + deviation * x, 1.0 - 2.0 * mean + 3.0 * deviation * x)
    return {"x": x, "mask": mask}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many numbers lie on each side of the mean, and how many are masked."""
    mask = inputs["mask"].bool()
    kept = inputs["x"][mask]
    return {
        "above the mean": int((kept > kept.mean()).sum()),
        "below the mean": int((kept < kept.mean()).sum()),
        "padding": int((~mask).sum()),
        "lengths": int(inputs["mask"].sum(-1).unique().numel()),
    }


FAMILY = Family(
    name="whiten",
    arguments=(
        Argument("x", ("BT",), "what is normalised"),
        Argument("mask", ("BT",), "1 for what counts"),
    ),
    required=frozenset({"x"}),
    differentiated="x",
    sample=sample,
    coverage=coverage,
    results=("BT",),
    held=True,
    properties=frozenset({"matches_the_specification", "ignores_masked_tokens"}),
    shapes=({"B": 2, "T": 4}, {"B": 3, "T": 7}),
)
