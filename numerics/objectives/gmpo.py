"""GMPO: the geometric mean of clipped token ratios, clipped in the logarithm.

    d_t = logp - logp_old,   c_t = min(d_t, clip_high) if A > 0, max(d_t, -clip) if A < 0
    loss = -mean_i A_i exp(mean_t c_t)

Source: Zhao et al., "Geometric-Mean Policy Optimization" (2025), equation 4. The clip acts token by
token, unlike GSPO's, and its limits are those of the log-ratio.
"""

from typing import Any

import torch
from torch import Tensor

from numerics.objectives.ppo_clip import per_token

FAMILY = "policy"


def gmpo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 0.4,
    clip_high: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss; the mean is over rows that have tokens.

    Shapes: logp, logp_old, mask [B,T]; adv [B], or [B,T], of which the mean weighs the response and
    each sign chooses the clip; the result [].
    Sign: minimised.
    Units: log-probabilities and clips in nats; the loss in the unit of the advantage.
    Gradient: through tokens that are not clipped.
    Raises: nothing of its own.

    >>> import torch
    >>> logp, old, one = torch.tensor([[1.0, 0.0]]), torch.zeros(1, 2), torch.ones(1, 2)
    >>> round(float(gmpo(logp - 2, old - 2, one, one)), 6)  # -exp((0.4 + 0) / 2)
    -1.221403
    """
    adv, gap = per_token(adv, logp), logp - logp_old
    high = clip if clip_high is None else clip_high
    limited = torch.where(adv > 0, gap.clamp(max=high), gap.clamp(min=-clip))
    limited = torch.where(adv == 0, 0.0, limited)
    counts = mask.sum(-1)
    tokens = counts + guard if guard else counts.clamp(min=1.0)
    weights = (adv * mask).sum(-1) / tokens
    values = -weights * ((limited * mask).sum(-1) / tokens).exp()
    return values.sum() / (counts > 0).sum()


def specification(*, clip: float = 0.4, clip_high: float | None = None) -> Any:
    """-A+ exp(mean min(d, clip_high)) - A- exp(mean max(d, -clip)) of a response."""
    from derivations.language.syntax import exp, larger, smaller
    from numerics.row_terms import mean_over_tokens, row_variables
    from numerics.token_terms import decimal

    x = row_variables()
    high = decimal(clip if clip_high is None else clip_high)
    above = mean_over_tokens(lambda t: smaller(x["logp"](t) - x["logp_old"](t), high))
    below = mean_over_tokens(lambda t: larger(x["logp"](t) - x["logp_old"](t), -decimal(clip)))
    return -larger(x["adv"], 0) * exp(above) - smaller(x["adv"], 0) * exp(below)
