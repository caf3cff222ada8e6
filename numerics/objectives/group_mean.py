"""Advantages against the mean of a group, as in Dr. GRPO.

    A_i = r_i - mean of the rewards of the same prompt

Source: Liu et al. (2025).
Theorem: `group_mean_baseline_shrinks_the_gradient`: against leave-one-out it is short by (K-1)/K.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.group_advantages import centred

FAMILY = "group_advantage"
SPREADS, ALONE = ("response", "tokens"), ("zero", "reward")


def by_group(
    rewards: Tensor, group: Tensor, advantages: Callable[[Tensor], Tensor], alone: str
) -> Tensor:
    """advantages(rewards of a prompt) for each prompt, [B]; a group of one gets 0 or its reward."""
    if alone not in ALONE:
        raise UnusableInput("a group of one", expected=", ".join(ALONE), got=repr(alone))
    found = torch.zeros_like(rewards) if alone == "zero" else rewards.clone()
    for number in group.unique():
        members = (group == number).nonzero().flatten()
        if len(members) > 1:
            found = found.index_put((members,), advantages(rewards[members]))
    return found


def spread_over(advantages: Tensor, mask: Tensor, spread: str) -> Tensor:
    """The advantages [B], or the same at every token under the mask [B,T]."""
    if spread not in SPREADS:
        raise UnusableInput("unknown spread", expected=", ".join(SPREADS), got=repr(spread))
    return advantages if spread == "response" else advantages[:, None] * mask


def group_mean(
    rewards: Tensor, group: Tensor, mask: Tensor, *, alone: str = "zero", spread: str = "response"
) -> Tensor:
    """The advantages.

    Shapes: rewards, group [B]; mask [B,T]; the result [B], or [B,T] for spread="tokens". Equal
    whole numbers in group are one prompt.
    Sign: a positive advantage is better than the mean of its prompt.
    Units: those of the reward.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for an unknown option.

    >>> import torch
    >>> r, g = torch.tensor([1.0, 5.0, 0.0]), torch.tensor([4, 9, 4])
    >>> group_mean(r, g, torch.ones(3, 1)).tolist()
    [0.5, 0.0, -0.5]
    """
    return spread_over(by_group(rewards, group, centred, alone), mask, spread)


def specification() -> Any:
    """r - sum_j same(j) r(j) / sum_j same(j) of a response."""
    from numerics.row_terms import mean_of_group, row_variables

    x = row_variables()
    return x["reward"] - mean_of_group(x["rewards"])
