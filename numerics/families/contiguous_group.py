"""Advantages of groups of one size that lie next to each other: rewards and the size give an
advantage per response [B].

rewards [B]; group_size a whole number that divides B; group [B] the prompts' ids, for estimators
that take both
"""

import torch
from torch import Tensor

from numerics.families import WHOLE, Argument, Family, Inputs, Shape, group_advantage
from numerics.families.policy import generator


def group_size(rows: int) -> int:
    """The largest proper divisor of the number of rows, or all of them."""
    return max((d for d in range(2, rows) if rows % d == 0), default=rows)


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Normal rewards, 0 and 1 with one group of equal ones (`moderate`), and far off zero."""
    rows, rng = shape["B"], generator(seed)
    size = group_size(rows)
    group = torch.arange(rows) // size
    rewards = torch.randn(rows, generator=rng, dtype=torch.float64)
    if regime == "moderate":
        rewards = (rewards > 0).double()
        rewards[::size] = 1.0 - rewards[size - 1 :: size]
        if size < rows:
            rewards[group == group.max()] = 1.0
    if regime == "far":
        rewards = 1e3 + 10 * rewards
    return {"rewards": rewards, "group": group, "group_size": torch.tensor(float(size)).double()}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many groups there are, and of equal rewards."""
    counts = group_advantage.coverage(inputs)
    kept = ("groups", "groups of unequal rewards", "groups of equal rewards")
    return {name: counts[name] for name in kept}


FAMILY = Family(
    name="contiguous_group",
    arguments=(
        *(a for a in group_advantage.FAMILY.arguments if a.name != "mask"),
        Argument("group_size", ("",), "how many responses a prompt has", WHOLE),
    ),
    required=frozenset({"rewards", "group_size"}),
    differentiated="rewards",
    sample=sample,
    coverage=coverage,
    results=("B",),
    held=True,
    properties=frozenset(
        {
            "gives_equal_rewards_no_advantage",
            "ignores_a_shift_of_its_rewards",
            "keeps_the_order_of_rewards",
            "leaves_itself_out_as_claimed",
            "sees_its_own_group_only",
            "sums_to_zero_in_a_group",
        }
    ),
    shapes=({"B": 6}, {"B": 8}),
)
