"""PPO with a second clip for negative advantages, as libraries ship it by default.

    L = min(rho A, clip(rho, 1 - clip, 1 + clip_high) A)
    loss = -reduce_bt (max(L, dual A) if A < 0 else L)

For A < 0 this is clip(rho, 1 - clip, dual) A.

Source: Ye et al. (2020), section 3.5.
Theorem: `dual_clip_bounds_the_penalty`; the lower bound rho A of the plain clip is lost for rho >
dual.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objectives.ppo_clip import clipped_surrogate, per_token, ratio, ratio_term
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def dual_clipped_surrogate(
    rho: Tensor, adv: Tensor, clip: float, clip_high: float | None, dual: float
) -> Tensor:
    """The objective per token; raises UnusableInput unless dual > 1."""
    if dual <= 1:
        raise UnusableInput(
            "the dual clip caps the ratio from above", expected="dual > 1", got=str(dual)
        )
    single = clipped_surrogate(rho, adv, clip, clip_high)
    return torch.where(adv < 0, torch.maximum(single, dual * adv), single)


def dual_clip(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    dual: float = 3.0,
    log_ratio_clamp: float | None = None,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through rho where the token is not clipped; zero also for A < 0, rho > dual.
    Raises: UnusableInput for dual <= 1 and for an unknown reduction.

    >>> import torch
    >>> logp, old = torch.tensor([[-1.0]]), torch.tensor([[-3.0]])  # rho = e^2 = 7.4
    >>> float(dual_clip(logp, old, torch.tensor([[-1.0]]), torch.ones(1, 1)))
    3.0
    """
    rho = ratio(logp, logp_old, log_ratio_clamp)
    objective = dual_clipped_surrogate(rho, per_token(adv, logp), clip, clip_high, dual)
    return reduce_tokens(-objective, mask, reduce, norm=norm, guard=guard)


def specification(
    *,
    clip: float = 0.2,
    clip_high: float | None = None,
    dual: float = 3.0,
    log_ratio_clamp: float | None = None,
) -> Any:
    """-(min(rho, 1 + clip_high) A+ + clip(rho, 1 - clip, dual) A-), A+ and A- the parts of A.

    The case distinction of the code, written without one, as in `dual_clip_bounds_the_penalty`.
    """
    from derivations.language.syntax import larger, smaller
    from numerics.token_terms import between, decimal, token_variables

    rho, adv = ratio_term(log_ratio_clamp), token_variables()["adv"]
    high = 1 + decimal(clip if clip_high is None else clip_high)
    good = smaller(rho, high) * larger(adv, 0)
    return -good - between(rho, 1 - decimal(clip), decimal(dual)) * smaller(adv, 0)
