"""Losses of a reward model: the scores of a preferred and a rejected response to one prompt.

score_w, score_l [B]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

MARGINS = (2.0, -2.0, 0.01)
FAR = (40.0, -40.0)  # where 1 - sigmoid(40) rounds to zero
SPREAD = {"near": 0.05, "moderate": 1.0, "far": 1.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Normal scores around a prompt's own level; the first pairs on either side of equality."""
    rng = generator(seed)
    level, high, low = (
        torch.randn(shape["B"], generator=rng, dtype=torch.float64) for _ in range(3)
    )
    score_w, score_l = level + SPREAD[regime] * high, level + SPREAD[regime] * low
    margins = (*FAR, *MARGINS) if regime == "far" else MARGINS if regime != "near" else ()
    for row, margin in zip(range(shape["B"]), margins, strict=False):
        score_w[row] = score_l[row] + margin
    return {"score_w": score_w, "score_l": score_l}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many pairs are ordered rightly, wrongly, and far apart."""
    margin = inputs["score_w"] - inputs["score_l"]
    return {
        "preferred ahead": int((margin > 0).sum()),
        "rejected ahead": int((margin < 0).sum()),
        "|margin| above 20": int((margin.abs() > 20).sum()),
    }


FAMILY = Family(
    name="reward_model",
    arguments=(
        Argument("score_w", ("B",), "scores of the preferred responses"),
        Argument("score_l", ("B",), "scores of the rejected responses"),
    ),
    required=frozenset({"score_w", "score_l"}),
    differentiated="score_w",
    sample=sample,
    coverage=coverage,
    also=("score_l",),
    results=("", "B"),
    properties=frozenset(
        {"gradient_is_consistent", "matches_the_specification", "reports_frozen_sites"}
    ),
    shapes=({"B": 3}, {"B": 6}),
)
