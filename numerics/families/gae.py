"""Advantage estimators over time: rewards and values of a trajectory give advantages and value
targets [B,T].

rewards, values, next_values [B,T]; terminated, truncated, mask [B,T] (0/1); gamma, lam numbers.
next_values[b, t] is V of the state that step t really led to; a loss that does not take it uses
values[b, t + 1], and zero behind the last step. A loss without `terminated` treats the last step
under the mask as terminal. A tuple (advantages, returns) is stacked.
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

DISCOUNTS = ((0.9, 0.8), (1.0, 0.95), (0.99, 1.0), (0.95, 0.0))  # (gamma, lambda) by seed


def last_steps(mask: Tensor) -> Tensor:
    """1 at the last step under the mask of each row."""
    places = torch.arange(mask.shape[-1]) * (mask > 0)
    return torch.zeros_like(mask).scatter(-1, places.argmax(-1, keepdim=True), 1.0)


def shifted(values: Tensor, mask: Tensor) -> Tensor:
    """values[b, t + 1] under the mask, zero behind the last step."""
    following = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], -1)
    masked = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], -1)
    return torch.where(masked > 0, following, 0.0)


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """`near`: one episode a row; else rows that hold several episodes, ended in both ways."""
    rows, length = shape["B"], shape["T"]
    rng = generator(seed)
    mask = response_mask(rows, length, seed)
    rewards, values, final = (
        (100.0 if regime == "far" else 1.0)
        * torch.randn(rows, length, generator=rng, dtype=torch.float64)
        for _ in range(3)
    )
    terminated, truncated = last_steps(mask), torch.zeros_like(mask)
    if regime != "near":
        truncated[0], terminated[0] = terminated[0].clone(), 0.0
        for row in range(rows):
            if length > 2 and float(mask[row].sum()) > 2:
                ended = (terminated, truncated)[row % 2]
                ended[row, (seed + row) % (int(mask[row].sum()) - 1)] = 1.0
    gamma, lam = DISCOUNTS[seed % len(DISCOUNTS)]
    return {
        "rewards": rewards,
        "values": values,
        "next_values": torch.where(truncated > 0, final, shifted(values, mask)),
        "terminated": terminated * mask,
        "truncated": truncated * mask,
        "mask": mask,
        "gamma": torch.tensor(gamma, dtype=torch.float64),
        "lam": torch.tensor(lam, dtype=torch.float64),
    }


def complete(inputs: Inputs, taken: frozenset[str]) -> Inputs:
    """What the arguments that an estimator does not take stand for."""
    given, mask = dict(inputs), inputs["mask"]
    if "truncated" not in taken:
        given["truncated"] = torch.zeros_like(mask)
    if "terminated" not in taken:
        given["terminated"] = last_steps(mask)
    if "next_values" not in taken:
        given["next_values"] = shifted(inputs["values"], mask)
    return given


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many steps end an episode, in which way, and where."""
    mask, last = inputs["mask"], last_steps(inputs["mask"])
    ended = inputs["terminated"] + inputs["truncated"]
    return {
        "terminated": int(inputs["terminated"].sum()),
        "truncated": int(inputs["truncated"].sum()),
        "ends before the last step": int((ended * (1 - last)).sum()),
        "padding": int((mask == 0).sum()),
        "lengths": int(mask.sum(-1).unique().numel()),
    }


FAMILY = Family(
    name="gae",
    arguments=(
        Argument("rewards", ("BT",), "rewards of the steps"),
        Argument("values", ("BT",), "V of the state before each step"),
        Argument("next_values", ("BT",), "V of the state that each step led to"),
        Argument("terminated", ("BT",), "1 where the episode ended for good"),
        Argument("truncated", ("BT",), "1 where it was cut off"),
        Argument("mask", ("BT",), "1 for steps, 0 for padding"),
        Argument("gamma", ("",), "discount"),
        Argument("lam", ("",), "lambda"),
    ),
    required=frozenset({"rewards", "values"}),
    differentiated="rewards",
    sample=sample,
    coverage=coverage,
    results=("BT", "2BT"),
    held=True,
    properties=frozenset({"matches_the_specification", "ignores_masked_tokens"}),
    complete=complete,
)
