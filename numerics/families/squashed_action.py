"""Ratios of continuous actions: a normal draw z that is squashed by tanh, under two policies.

z, mean, mean_old, log_std, log_std_old [B,V] (V components of an action) give the ratio
pi(a) / pi_old(a) of each action [B], a = tanh(z)
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

MOVED = {"near": 0.02, "moderate": 0.3, "far": 1.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Draws of the old policy, some of them near the bounds of the action."""
    axes, rng = (shape["B"], shape["V"]), generator(seed)
    normal = [torch.randn(axes, generator=rng, dtype=torch.float64) for _ in range(4)]
    log_std_old, mean_old = 0.2 * normal[0], normal[1]
    return {
        "z": mean_old + log_std_old.exp() * normal[2],
        "mean": mean_old + MOVED[regime] * normal[3],
        "mean_old": mean_old,
        "log_std": log_std_old + 0.3 * MOVED[regime] * normal[3].flip(0),
        "log_std_old": log_std_old,
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many components lie near a bound of tanh."""
    near = inputs["z"].abs() > 1.5
    return {"near a bound": int(near.sum()), "inside": int((~near).sum())}


FAMILY = Family(
    name="squashed_action",
    arguments=(
        Argument("z", ("BV",), "the normal draw before tanh"),
        Argument("mean", ("BV",), "mean under the policy that is trained"),
        Argument("mean_old", ("BV",), "mean under the policy that sampled"),
        Argument("log_std", ("BV",), "log-deviation under the policy that is trained"),
        Argument("log_std_old", ("BV",), "log-deviation under the policy that sampled"),
    ),
    required=frozenset({"z", "mean", "mean_old"}),
    differentiated="mean",
    sample=sample,
    coverage=coverage,
    results=("B",),
    properties=frozenset({"gradient_is_consistent"}),
    shapes=({"B": 2, "V": 1}, {"B": 4, "V": 3}),
)
