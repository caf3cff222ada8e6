"""Losses of a reward model that start from a score at every position of both responses.

scores_w, scores_l [B,T] (the head's output at every token), mask_w, mask_l [B,T] (1 = token of the
sequence, padded on the right)
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

SPREAD = {"near": 0.1, "moderate": 1.0, "far": 20.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Scores that differ from token to token, so that it matters which one is read."""
    axes, rng = (shape["B"], shape["T"]), generator(seed)
    high, low = (SPREAD[regime] * torch.randn(axes, generator=rng).double() for _ in range(2))
    return {
        "scores_w": high,
        "scores_l": low,
        "mask_w": response_mask(*axes, seed),
        "mask_l": response_mask(*axes, seed + 1).flip(0),
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """Padding on each side, and which response is longer."""
    longer = inputs["mask_w"].sum(-1) - inputs["mask_l"].sum(-1)
    return {
        "padding": int((inputs["mask_w"] == 0).sum() + (inputs["mask_l"] == 0).sum()),
        "preferred longer": int((longer > 0).sum()),
        "rejected longer": int((longer < 0).sum()),
    }


FAMILY = Family(
    name="token_scores",
    arguments=(
        Argument("scores_w", ("BT",), "scores at the tokens of the preferred response"),
        Argument("scores_l", ("BT",), "scores at the tokens of the rejected response"),
        Argument("mask_w", ("BT",), "1 for tokens of the preferred response"),
        Argument("mask_l", ("BT",), "1 for tokens of the rejected response"),
    ),
    required=frozenset({"scores_w", "scores_l"}),
    differentiated="scores_w",
    sample=sample,
    coverage=coverage,
    also=("scores_l",),
    results=("", "B"),
    properties=frozenset({"gradient_is_consistent", "reports_frozen_sites"}),
    shapes=({"B": 3, "T": 4}, {"B": 5, "T": 7}),
)
