"""Advantages against the mean of the others, as in RLOO.

    A_i = r_i - mean of the other rewards of the same prompt = K/(K-1) (r_i - mean)

Source: Kool et al. (2019); Ahmadian et al. (2024).
Theorems: `leave_one_out_is_a_rescaled_centering`, `leave_one_out_is_unbiased`.
"""

from typing import Any

from torch import Tensor

from numerics.lessons.group_advantages import leave_one_out
from numerics.objectives.group_mean import by_group, spread_over

FAMILY = "group_advantage"


def group_leave_one_out(
    rewards: Tensor, group: Tensor, mask: Tensor, *, alone: str = "zero", spread: str = "response"
) -> Tensor:
    """The advantages.

    Shapes: rewards, group [B]; mask [B,T]; the result [B], or [B,T] for spread="tokens". Equal
    whole numbers in group are one prompt.
    Sign: a positive advantage is better than the others of its prompt.
    Units: those of the reward.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for an unknown option.

    >>> import torch
    >>> r, g = torch.tensor([1.0, 5.0, 0.0]), torch.tensor([4, 9, 4])
    >>> group_leave_one_out(r, g, torch.ones(3, 1)).tolist()
    [1.0, 0.0, -1.0]
    """
    return spread_over(by_group(rewards, group, leave_one_out, alone), mask, spread)


def specification() -> Any:
    """r - (sum_j same(j) r(j) - r) / (sum_j same(j) - 1) of a response that is not alone."""
    from numerics.row_terms import group_size, row_variables, sum_of_group

    x = row_variables()
    return x["reward"] - (sum_of_group(x["rewards"]) - x["reward"]) / (group_size() - 1)
