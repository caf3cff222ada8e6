"""PPO's whole loss: clipped surrogate, squared error of the values, entropy bonus.

    loss = reduce_bt( -min(rho A, clip(rho) A)
                      + value_weight max((V - R)^2, (clipped V - R)^2) - entropy_weight H )

Source: Schulman et al. (2017), equation 9, whose c_1 is value_weight (of the squared error without
a further half) and whose c_2 is entropy_weight; the value clip is off for value_limit=None.
Theorem: `clip_gradient_cases`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import ppo_clip, value_clip
from numerics.objectives.ppo_clip import clipped_surrogate, per_token, ratio
from numerics.objectives.value_clip import squared_error
from numerics.reductions import reduce_tokens

FAMILY = "actor_critic"


def ppo_full(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    value: Tensor,
    value_old: Tensor,
    returns: Tensor,
    entropy: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    value_limit: float | None = None,
    value_weight: float = 0.5,
    entropy_weight: float = 0.01,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: all arguments [B,T], adv also [B]; the result [].
    Sign: minimised.
    Units: log-probabilities and entropy in nats, values and returns in the unit of the reward.
    Gradient: through logp where the token is not clipped, value and entropy; callers hold the rest
    fixed.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> x = torch.ones(1, 1)
    >>> float(ppo_full(0 * x, 0 * x, x, 3 * x, x, x, x, x, entropy_weight=0.5))  # -1 + 2 - 1/2
    0.5
    """
    gain = clipped_surrogate(ratio(logp, logp_old), per_token(adv, logp), clip)
    error = squared_error(value, value_old, returns, value_limit)
    values = -gain + value_weight * error - entropy_weight * entropy
    return reduce_tokens(values, mask, reduce, norm=norm, guard=guard)


def specification(
    *,
    clip: float = 0.2,
    value_limit: float | None = None,
    value_weight: float = 0.5,
    entropy_weight: float = 0.01,
) -> Any:
    """The three terms of a token."""
    from numerics.token_terms import decimal, token_variables

    error = value_clip.specification(clip=value_limit, scale=value_weight)
    bonus = decimal(entropy_weight) * token_variables()["entropy"]
    return ppo_clip.specification(clip=clip) + error - bonus
