"""Advantages in units of the group's standard deviation, as in GRPO.

    A_i = (r_i - mean) / (std + guard),   std with K - 1 (sample) or K (population)

Source: Shao et al. (2024), section 4.1.2, which does not say which deviation; libraries take
torch's default, the sample's. A group of equal rewards gets zero.
Theorems: `group_normalisation_ignores_shift_and_scale`,
`group_standard_deviation_reweights_prompts`.
"""

from functools import partial
from typing import Any

from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.group_advantages import POPULATION, SAMPLE, normalised
from numerics.objectives.group_mean import by_group, spread_over

FAMILY = "group_advantage"
DEVIATIONS = {"sample": SAMPLE, "population": POPULATION}


def group_normalised(
    rewards: Tensor,
    group: Tensor,
    mask: Tensor,
    *,
    deviation: str = "sample",
    guard: float = 0.0,
    alone: str = "zero",
    spread: str = "response",
) -> Tensor:
    """The advantages.

    Shapes: rewards, group [B]; mask [B,T]; the result [B], or [B,T] for spread="tokens". Equal
    whole numbers in group are one prompt.
    Sign: a positive advantage is better than the mean of its prompt.
    Units: none, they are in standard deviations.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for an unknown option.

    >>> import torch
    >>> r, g = torch.tensor([2.0, 5.0, 0.0]), torch.tensor([4, 9, 4])
    >>> group_normalised(r, g, torch.ones(3, 1), deviation="population").tolist()
    [1.0, 0.0, -1.0]
    """
    if deviation not in DEVIATIONS:
        raise UnusableInput(
            "unknown deviation", expected=", ".join(DEVIATIONS), got=repr(deviation)
        )
    each = partial(normalised, correction=DEVIATIONS[deviation], guard=guard)
    return spread_over(by_group(rewards, group, each, alone), mask, spread)


def specification(*, deviation: str = "sample", guard: float = 0.0) -> Any:
    """(r - mean) / (exp(log(variance) / 2) + guard) of a response whose group is not all equal."""
    from derivations.language.syntax import exp, log
    from numerics.row_terms import group_size, mean_of_group, row_variables, sum_of_group
    from numerics.token_terms import decimal

    x = row_variables()
    mean = mean_of_group(x["rewards"])
    squares = sum_of_group(lambda j: (x["rewards"](j) - mean) ** 2)
    variance = squares / (group_size() - DEVIATIONS[deviation])
    return (x["reward"] - mean) / (exp(log(variance) / 2) + decimal(guard))
