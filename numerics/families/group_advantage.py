"""Advantages of several responses to one prompt: rewards and prompt ids give an advantage per
response [B], or per token [B,T] where a mask is taken.

rewards [B], group [B] (whole numbers: the prompt of each response), mask [B,T]
"""

import torch
from torch import Tensor

from numerics.families import WHOLE, Argument, Family, Inputs, Shape
from numerics.families.policy import generator, response_mask

SIZES = (3, 2, 4)  # of the groups, again and again until the rows are used up


def group_ids(rows: int, seed: int, regime: str) -> Tensor:
    """Ids [B] of groups with two to four members, interleaved; `far` ends with a group of one."""
    ids: list[int] = []
    while len(ids) < rows:
        ids += [len(set(ids))] * SIZES[len(set(ids)) % len(SIZES)]
    ids = ids[:rows]
    if ids.count(ids[-1]) == 1 and rows > 1:
        ids[-1] = ids[-2]
    if regime == "far":
        ids[-1] = max(ids) + 1
    # Interleaved and with ids that are no positions: an order or a reshape must not matter.
    order = torch.randperm(rows, generator=generator(seed + 7))
    return (7 + 3 * torch.tensor(ids))[order]


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Normal rewards (`near`), 0 and 1 with one group of equal rewards (`moderate`), and far off
    zero with a group of one (`far`).
    """
    rows, rng = shape["B"], generator(seed)
    group = group_ids(rows, seed, regime)
    rewards = torch.randn(rows, generator=rng, dtype=torch.float64)
    if regime == "moderate":
        rewards = (rewards > 0).double()
        for number in group.unique().tolist():
            members = (group == number).nonzero().flatten()
            rewards[members[0]], rewards[members[-1]] = 1.0, 0.0
        rewards[group == group.max()] = 1.0
    if regime == "far":
        rewards = 1e3 + 10 * rewards
    return {"rewards": rewards, "group": group, "mask": response_mask(rows, shape["T"], seed)}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many groups there are, of equal rewards, of one member, not in one piece."""
    rewards, group = inputs["rewards"], inputs["group"]
    places = [(group == number).nonzero().flatten() for number in group.unique()]
    groups = [rewards[place] for place in places]
    return {
        "groups": len(groups),
        "groups of unequal rewards": sum(bool((g != g[0]).any()) for g in groups),
        "groups of equal rewards": sum(len(g) > 1 and bool((g == g[0]).all()) for g in groups),
        "groups of one": sum(len(g) == 1 for g in groups),
        "interleaved groups": sum(int(p[-1] - p[0]) >= len(p) for p in places),
        "group sizes": len({len(g) for g in groups}),
    }


FAMILY = Family(
    name="group_advantage",
    arguments=(
        Argument("rewards", ("B",), "one reward a response"),
        Argument("group", ("B",), "the prompt that each response answers", WHOLE),
        Argument("mask", ("BT",), "1 for response tokens, 0 for prompt and padding"),
    ),
    required=frozenset({"rewards", "group"}),
    differentiated="rewards",
    sample=sample,
    coverage=coverage,
    results=("B", "BT"),
    held=True,
    properties=frozenset({"matches_the_specification"}),
    shapes=({"B": 5, "T": 3}, {"B": 9, "T": 4}),
)
