"""Policy losses that know the engine that sampled: its log-probabilities differ a little from those
that the trainer computes for the same weights.

logp_rollout [B,T] (nats, of the sampled tokens, under the engine); the rest as in the policy family
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape, policy

SPREAD = {"near": 0.03, "moderate": 0.3, "far": 2.0}
SERVED = frozenset(  # properties of the policy family that serve it too
    {
        "clips_where_claimed",
        "follows_the_order_of_rows",
        "gives_the_same_gradient_twice",
        "gradient_is_consistent",
        "has_a_ratio_of_one_on_policy",
        "has_the_policy_gradient_on_policy",
        "ignores_filler_rows",
        "ignores_masked_tokens",
        "is_linear_in_the_advantages",
        "keeps_its_scale_in_a_repeated_batch",
        "keeps_its_value_in_wider_padding",
        "keeps_the_clip_region",
        "pulls_to_the_reference",
        "reports_frozen_sites",
        "weighs_tokens_as_claimed",
    }
)


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's sample; the engine near the old policy, on both sides of it."""
    inputs = policy.sample(shape, seed, regime)
    rng = policy.generator(seed + 13)
    axes = inputs["mask"].shape
    noise = SPREAD[regime] * torch.randn(axes, generator=rng, dtype=torch.float64)
    return {**inputs, "logp_rollout": (inputs["logp_old"] - noise).clamp(max=-1e-3)}


def coverage(inputs: Inputs) -> dict[str, int]:
    """The policy family's counts, and tokens whose weight lies on each side of one."""
    weight = (inputs["logp_old"] - inputs["logp_rollout"]).exp()
    mask = inputs["mask"].bool()
    return {
        **policy.coverage(inputs),
        "engine weight above 2": int(((weight > 2.0) & mask).sum()),
        "engine weight below 1/2": int(((weight < 0.5) & mask).sum()),
    }


FAMILY = Family(
    name="rollout",
    arguments=(
        *policy.FAMILY.arguments,
        Argument("logp_rollout", ("BT",), "log-probabilities under the engine that sampled"),
    ),
    required=frozenset({"logp", "adv", "logp_rollout"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    properties=SERVED,
)
