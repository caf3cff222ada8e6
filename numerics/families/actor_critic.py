"""Losses of an actor and a critic together: the policy's arguments, the value head's, and entropies
give a scalar.

logp, logp_old, value, value_old, returns, entropy, mask [B,T]; adv [B,T] or [B]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape, policy, value


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """The policy family's sample and the value family's, under one mask; entropies above zero.

    Far values go with moderate ratios: beside a ratio of e^20 the other terms would be rounding.
    """
    actor = policy.sample(shape, seed, "near" if regime == "near" else "moderate")
    critic = value.sample(shape, seed, regime)
    axes, rng = actor["mask"].shape, policy.generator(seed + 11)
    entropy = 2.0 * torch.rand(axes, generator=rng, dtype=torch.float64)
    kept = {name: actor[name] for name in ("logp", "logp_old", "adv", "mask")}
    return {**critic, **kept, "entropy": entropy}


def coverage(inputs: Inputs) -> dict[str, int]:
    """What both families count, but for the far ratios."""
    ratios = policy.ratio_coverage(inputs["logp"] - inputs["logp_old"], inputs)
    ratios.pop("|log-ratio| above 20")
    return {**value.coverage(inputs), **ratios}


FAMILY = Family(
    name="actor_critic",
    arguments=(
        *(a for a in policy.FAMILY.arguments if a.name not in ("logp_ref", "mask")),
        *value.FAMILY.arguments,
        Argument("entropy", ("BT",), "entropies of the tokens"),
    ),
    required=frozenset({"logp", "adv", "value", "returns"}),
    differentiated="logp",
    sample=sample,
    coverage=coverage,
    also=("value", "entropy"),
    properties=value.FAMILY.properties,
)
