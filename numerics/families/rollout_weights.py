"""Policy losses that take an importance weight per token, computed by the caller and held fixed.

rollout_is_weights [B,T] (positive numbers, truncated already); the rest as in the policy family
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape, policy
from numerics.families.rollout import SERVED


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's sample; weights between a hundredth and two."""
    inputs = policy.sample(shape, seed, regime)
    drawn = torch.rand(inputs["mask"].shape, generator=policy.generator(seed + 17)).double()
    weights = {"near": 0.9 + 0.2 * drawn, "moderate": 2 * drawn + 0.01, "far": drawn**4 + 0.01}
    return {**inputs, "rollout_is_weights": weights[regime]}


def coverage(inputs: Inputs) -> dict[str, int]:
    """The policy family's counts, and tokens of large and small weights."""
    weight, mask = inputs["rollout_is_weights"], inputs["mask"].bool()
    return {
        **policy.coverage(inputs),
        "weight above 1": int(((weight > 1.0) & mask).sum()),
        "weight below 0.1": int(((weight < 0.1) & mask).sum()),
    }


FAMILY = Family(
    name="rollout_weights",
    arguments=(
        *policy.FAMILY.arguments,
        Argument("rollout_is_weights", ("BT",), "importance weights, held fixed"),
    ),
    required=frozenset({"logp", "adv", "rollout_is_weights"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    properties=SERVED,
)
