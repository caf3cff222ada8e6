"""Advantages over a critic that is trained on normalised targets.

returns, value_normalised [B,T] (the critic's output, (V - value_mean) / value_std);
value_mean and value_std numbers; gives advantages [B,T]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

SCALES = ((8.0, 2.0), (0.0, 1.0), (-30.0, 0.5))  # mean, standard deviation of the returns, by seed


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """A critic that is nearly right (`near`), off, and far off."""
    axes, rng = (shape["B"], shape["T"]), generator(seed)
    mean, deviation = SCALES[seed % len(SCALES)]
    unit, noise = (torch.randn(axes, generator=rng, dtype=torch.float64) for _ in range(2))
    return {
        "returns": mean + deviation * unit,
        "value_normalised": unit + {"near": 0.01, "moderate": 0.5, "far": 5.0}[regime] * noise,
        "value_mean": torch.tensor(mean, dtype=torch.float64),
        "value_std": torch.tensor(deviation, dtype=torch.float64),
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """Whether the normalisation matters, and how many values are too low or too high."""
    value = inputs["value_mean"] + inputs["value_std"] * inputs["value_normalised"]
    moved = float(inputs["value_mean"]) != 0.0 or float(inputs["value_std"]) != 1.0
    return {
        "normalised": int(moved),
        "value too low": int((value < inputs["returns"]).sum()),
        "value too high": int((value > inputs["returns"]).sum()),
    }


FAMILY = Family(
    name="normalised_critic",
    arguments=(
        Argument("returns", ("BT",), "what the values estimate, in units of reward"),
        Argument("value_normalised", ("BT",), "the critic's output, in normalised units"),
        Argument("value_mean", ("",), "mean that the critic's targets had taken off"),
        Argument("value_std", ("",), "deviation that they were divided by"),
    ),
    required=frozenset({"returns", "value_normalised"}),
    differentiated="value_normalised",
    sample=sample,
    coverage=coverage,
    results=("BT",),
    held=True,
    properties=frozenset({"follows_the_order_of_rows"}),
    shapes=({"B": 2, "T": 3}, {"B": 3, "T": 5}),
)
