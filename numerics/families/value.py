"""Losses of a value head: values, the values at sampling time, and their targets give a scalar.

value, value_old, returns, mask [B,T]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

# (value - value_old, returns - value_old): beyond the clip of 0.2 towards and away from the target
# on both sides, beyond the target, and inside.
BRANCHES = ((0.5, 1.5), (0.5, -1.0), (-0.5, 1.0), (-0.5, -1.5), (0.5, 0.1), (0.1, 0.6))
SPREAD = {"near": 0.04, "moderate": 0.5, "far": 30.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Values moved inside the clip (`near`), on both sides of it, and by large amounts (`far`)."""
    rows, length = shape["B"], shape["T"]
    rng = generator(seed)
    mask = response_mask(rows, length, seed)
    old, moved, wanted = (
        torch.randn(rows, length, generator=rng, dtype=torch.float64) for _ in range(3)
    )
    moved = SPREAD[regime] * moved
    if regime != "near":
        places = mask.flatten().nonzero().flatten().tolist()
        for place, (step, gap) in zip(places, BRANCHES, strict=False):
            moved.view(-1)[place], wanted.view(-1)[place] = step, gap
    return {"value": old + moved, "value_old": old, "returns": old + wanted, "mask": mask}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many tokens moved beyond a clip of 0.2, and which of the two errors is larger."""
    mask = inputs["mask"].bool()
    moved, wanted = (inputs[name] - inputs["value_old"] for name in ("value", "returns"))
    plain, limited = (moved - wanted) ** 2, (moved.clamp(-0.2, 0.2) - wanted) ** 2
    regions = {
        "inside the clip": moved.abs() < 0.2,
        "above the clip, clipped error larger": (moved > 0.2) & (limited > plain),
        "above the clip, plain error larger": (moved > 0.2) & (limited < plain),
        "below the clip, clipped error larger": (moved < -0.2) & (limited > plain),
        "below the clip, plain error larger": (moved < -0.2) & (limited < plain),
    }
    counts = {name: int((region & mask).sum()) for name, region in regions.items()}
    lengths = int(inputs["mask"].sum(-1).unique().numel())
    return counts | {"padding": int((~mask).sum()), "lengths": lengths}


FAMILY = Family(
    name="value",
    arguments=(
        Argument("value", ("BT",), "values that are trained"),
        Argument("value_old", ("BT",), "values when the data were sampled"),
        Argument("returns", ("BT",), "targets of the values"),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
    ),
    required=frozenset({"value", "returns"}),
    differentiated="value",
    sample=sample,
    coverage=coverage,
    properties=frozenset(
        {
            "gradient_is_consistent",
            "ignores_masked_tokens",
            "matches_the_specification",
            "reports_frozen_sites",
        }
    ),
    shapes=({"B": 2, "T": 4}, {"B": 3, "T": 7}),
)
