"""The loss of a value head, its change limited as PPO limits the ratio.

    loss = scale reduce_bt max((V - R)^2, (V_old + clip(V - V_old, -clip, clip) - R)^2)

Source: the clipped value loss of OpenAI's baselines, no part of Schulman et al. (2017), whose plain
error is clip=None. Like the surrogate it is pessimistic: never below the plain error.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.reductions import reduce_tokens

FAMILY = "value"


def squared_error(value: Tensor, value_old: Tensor, returns: Tensor, clip: float | None) -> Tensor:
    """The larger of the two squared errors per token, or the plain one."""
    plain = (value - returns) ** 2
    if clip is None:
        return plain
    limited = value_old + (value - value_old).clamp(-clip, clip)
    return torch.maximum(plain, (limited - returns) ** 2)


def value_clip(
    value: Tensor,
    value_old: Tensor,
    returns: Tensor,
    mask: Tensor,
    *,
    clip: float | None = 0.2,
    scale: float = 0.5,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: all arguments [B,T]; the result [].
    Sign: minimised.
    Units: values and returns in the unit of the reward, the loss in its square.
    Gradient: through value where the plain error is the larger one or the change is inside the
    clip.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> one = torch.ones(1, 1)
    >>> float(value_clip(2 * one, 0 * one, 2 * one, one, clip=0.5, scale=1.0))  # (0.5 - 2)^2
    2.25
    """
    values = scale * squared_error(value, value_old, returns, clip)
    return reduce_tokens(values, mask, reduce, norm=norm, guard=guard)


def specification(*, clip: float | None = 0.2, scale: float = 0.5) -> Any:
    """scale max((V - R)^2, (clipped V - R)^2) of a token, in value, value_old, returns."""
    from derivations.language.syntax import larger
    from numerics.token_terms import between, decimal, token_variables

    x = token_variables()
    plain = (x["value"] - x["returns"]) ** 2
    if clip is None:
        return decimal(scale) * plain
    moved = between(x["value"] - x["value_old"], -decimal(clip), decimal(clip))
    return decimal(scale) * larger(plain, (x["value_old"] + moved - x["returns"]) ** 2)
