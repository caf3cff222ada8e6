"""Accumulation over micro-batches: what one pass over all the data would give as a gradient [V].

The model is linear and small: the loss of a token is (features . weight - target)^2. A function of
this family is the accumulation loop: it takes the parameters and the micro-batches (tensors whose
first axis runs over them, N of them), and returns the gradient that an optimiser would be given.

weight [V]; features [N,B,T,V]; targets, mask [N,B,T]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

SPREAD = {"near": 0.1, "moderate": 1.0, "far": 30.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Micro-batches of unequal numbers of tokens; the last one has shorter rows than the others."""
    axes = (shape["N"], shape["B"], shape["T"])
    rng = generator(seed)
    mask = torch.stack([response_mask(*axes[1:], 100 * seed + n) for n in range(axes[0])])
    mask[-1, :, (axes[2] + 1) // 2 :] = 0.0
    weight = torch.randn(shape["V"], generator=rng, dtype=torch.float64)
    features = torch.randn(*axes, shape["V"], generator=rng, dtype=torch.float64)
    noise = torch.randn(*axes, generator=rng, dtype=torch.float64)
    targets = features @ weight + SPREAD[regime] * noise
    return {"weight": weight, "features": features, "targets": targets, "mask": mask}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many micro-batches there are, of how many different numbers of tokens, and padding."""
    mask = inputs["mask"]
    return {
        "micro-batches": int(mask.shape[0]),
        "unequal micro-batches": int(mask.sum((-1, -2)).unique().numel()) - 1,
        "unequal rows": int(mask.sum(-1).unique().numel()) - 1,
        "padding": int((mask == 0).sum()),
    }


FAMILY = Family(
    name="accumulation",
    arguments=(
        Argument("weight", ("V",), "the parameters"),
        Argument("features", ("NBTV",), "features of every token of every micro-batch"),
        Argument("targets", ("NBT",), "what features . weight should be"),
        Argument("mask", ("NBT",), "1 for tokens that count"),
    ),
    required=frozenset({"weight", "features", "targets"}),
    differentiated="weight",
    sample=sample,
    coverage=coverage,
    results=("V",),
    held=True,
    properties=frozenset({"matches_the_specification"}),
    shapes=({"N": 2, "B": 2, "T": 3, "V": 2}, {"N": 3, "B": 2, "T": 5, "V": 3}),
)
