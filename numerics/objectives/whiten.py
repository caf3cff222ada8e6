"""Numbers under a mask brought to mean zero and deviation one.

    y = (x - mean) / sqrt(variance + guard),   mean and variance over all of mask

Source: the whitening of advantages in OpenAI's lm-human-preferences and its descendants. The
variance is the sample's (N - 1) or the population's (N): a convention. Zero off the mask.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objectives.group_normalised import DEVIATIONS

FAMILY = "whiten"


def whiten(x: Tensor, mask: Tensor, *, deviation: str = "sample", guard: float = 1e-8) -> Tensor:
    """The normalised numbers, zero off the mask.

    Shapes: x, mask [B,T]; the result [B,T].
    Sign: that of x less its mean.
    Units: none, they are in standard deviations.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for an unknown deviation and for less than two numbers.

    >>> import torch
    >>> x, mask = torch.tensor([[3.0, 1.0, 9.0]]), torch.tensor([[1.0, 1.0, 0.0]])
    >>> whiten(x, mask, deviation="population", guard=0.0).tolist()
    [[1.0, -1.0, 0.0]]
    """
    if deviation not in DEVIATIONS:
        raise UnusableInput(
            "unknown deviation", expected=", ".join(DEVIATIONS), got=repr(deviation)
        )
    kept = mask > 0
    inside = x[kept]
    if len(inside) < 2:
        raise UnusableInput("nothing to normalise", expected="two numbers", got=str(len(inside)))
    variance = inside.var(correction=DEVIATIONS[deviation])
    return torch.where(kept, (x - inside.mean()) / (variance + guard).sqrt(), 0.0)


def specification(*, deviation: str = "sample", guard: float = 1e-8) -> Any:
    """(reward - mean) / exp(log(variance + guard) / 2), of all numbers that count as one group."""
    from derivations.language.syntax import exp, log
    from numerics.row_terms import group_size, mean_of_group, row_variables, sum_of_group
    from numerics.token_terms import decimal

    x = row_variables()
    mean = mean_of_group(x["rewards"])
    squares = sum_of_group(lambda j: (x["rewards"](j) - mean) ** 2)
    variance = squares / (group_size() - DEVIATIONS[deviation])
    return (x["reward"] - mean) / exp(log(variance + decimal(guard)) / 2)
