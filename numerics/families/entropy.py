"""Entropy terms: logits of every token give an entropy per token [B,T], or a scalar.

logits [B,T,V] (unnormalised), mask [B,T]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

SPREAD = {"near": 0.1, "moderate": 1.5, "far": 1.5}
CERTAIN = 60.0  # a logit so far above the others that their probabilities are below 1e-20


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Nearly uniform, ordinary, and (`far`) nearly certain tokens."""
    axes = (shape["B"], shape["T"], shape["V"])
    logits = SPREAD[regime] * torch.randn(*axes, generator=generator(seed), dtype=torch.float64)
    if regime == "far":
        logits[:, 0, 0] += CERTAIN
    return {"logits": logits, "mask": response_mask(axes[0], axes[1], seed)}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many response tokens are nearly uniform, nearly certain, neither."""
    logp, mask = torch.log_softmax(inputs["logits"], -1), inputs["mask"].bool()
    entropy = -(logp.exp() * logp).sum(-1)
    most = torch.tensor(float(logp.shape[-1])).log()
    regions = {
        "nearly uniform": entropy > 0.95 * most,
        "between": (entropy > 1e-6) & (entropy <= 0.95 * most),
        "nearly certain": entropy < 1e-6,
    }
    counts = {name: int((region & mask).sum()) for name, region in regions.items()}
    lengths = int(inputs["mask"].sum(-1).unique().numel())
    return counts | {"padding": int((~mask).sum()), "lengths": lengths}


FAMILY = Family(
    name="entropy",
    arguments=(
        Argument("logits", ("BTV",), "unnormalised log-probabilities of every token"),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
    ),
    required=frozenset({"logits"}),
    differentiated="logits",
    sample=sample,
    coverage=coverage,
    results=("", "BT"),
    properties=frozenset(
        {
            "gradient_is_consistent",
            "ignores_masked_tokens",
            "matches_the_specification",
            "reports_frozen_sites",
        }
    ),
)
