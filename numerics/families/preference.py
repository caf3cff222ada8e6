"""Losses of comparisons: log-probabilities of a preferred and a rejected response, and the same
under the reference policy.

logp_w, logp_l, ref_w, ref_l [B] (of the whole response, summed or averaged as the loss wants it)
or [B,T] (per token) with mask_w, mask_l [B,T] (1 = response token)
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

# Margins h_w - h_l of the first pairs: the right one ahead, behind, nearly equal, decided.
MARGINS = (2.0, -2.0, 0.01, 6.0)
FAR = (60.0, -60.0)  # beta times the margin beyond 5, at the usual beta of 0.1
SPREAD = {"near": 0.05, "moderate": 0.5, "far": 0.5}
TALL = ({"B": 4, "T": 3}, {"B": 5, "T": 7})


def per_response(values: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [B] as they are, [B,T] summed under the mask."""
    return values if values.dim() == 1 else (values * mask).sum(-1)


def per_token_mean(values: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [B] as they are (already averaged), [B,T] averaged under the mask."""
    return values if values.dim() == 1 else (values * mask).sum(-1) / mask.sum(-1)


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Responses of different lengths on both sides; margins of both signs; column 0 of every
    matrix is a response token, so that it serves as the sample of [B].
    """
    rows, length = shape["B"], shape["T"]
    rng = generator(seed + 1)
    axes = (rows, length)
    base = [torch.rand(axes, generator=rng, dtype=torch.float64) for _ in range(2)]
    gaps = [SPREAD[regime] * torch.randn(axes, generator=rng, dtype=torch.float64) for _ in "wl"]
    margins = (*FAR, *MARGINS) if regime == "far" else MARGINS if regime != "near" else ()
    for row, margin in zip(range(rows), margins, strict=False):
        gaps[0][row, 0], gaps[1][row, 0] = margin / 2, -margin / 2
    # logp and logp - gap are both below zero
    logp = [-(0.1 + 2 * b + (-g).clamp(min=0.0)) for b, g in zip(base, gaps, strict=True)]
    return {
        "logp_w": logp[0],
        "logp_l": logp[1],
        "ref_w": logp[0] - gaps[0],
        "ref_l": logp[1] - gaps[1],
        "mask_w": response_mask(rows, length, seed),
        "mask_l": response_mask(rows, length, seed + 1).flip(0),
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many pairs lie on each side, are nearly equal, are decided."""
    x = inputs
    terms = [("logp_w", "mask_w"), ("ref_w", "mask_w"), ("logp_l", "mask_l"), ("ref_l", "mask_l")]
    w, rw, lo, rl = (per_response(x[name], x[mask]) for name, mask in terms)
    margin = (w - rw) - (lo - rl)
    regions = {
        "preferred ahead": margin > 0,
        "rejected ahead": margin < 0,
        "|margin| above 20": margin.abs() > 20,
    }
    counts = {name: int(region.sum()) for name, region in regions.items()}
    longer = x["mask_w"].sum(-1) - x["mask_l"].sum(-1)
    return counts | {
        "preferred longer": int((longer > 0).sum()),
        "rejected longer": int((longer < 0).sum()),
    }


FAMILY = Family(
    name="preference",
    arguments=(
        Argument("logp_w", ("BT", "B"), "log-probabilities of the preferred response"),
        Argument("logp_l", ("BT", "B"), "log-probabilities of the rejected response"),
        Argument("ref_w", ("BT", "B"), "the preferred response under the reference policy"),
        Argument("ref_l", ("BT", "B"), "the rejected response under the reference policy"),
        Argument("mask_w", ("BT",), "1 for tokens of the preferred response"),
        Argument("mask_l", ("BT",), "1 for tokens of the rejected response"),
    ),
    required=frozenset({"logp_w", "logp_l"}),
    differentiated="logp_w",
    sample=sample,
    coverage=coverage,
    also=("logp_l",),
    results=("", "B"),
    properties=frozenset(
        {"gradient_is_consistent", "matches_the_specification", "reports_frozen_sites"}
    ),
    shapes=TALL,
)
