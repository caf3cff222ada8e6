"""GSPO: one ratio per response, the geometric mean of its tokens' ratios, clipped as a whole.

    s_i = exp(mean over tokens of (logp - logp_old))
    loss = -mean_i mean_t min(s_i A, clip(s_i, 1 - clip, 1 + clip_high) A)

Source: Zheng et al., "Group Sequence Policy Optimization" (2025), equations 5 and 7. Its token
variant (equation 14) has this value and the gradient of sg(s_i) pi/sg(pi) at each token: the same
unless advantages differ within a response.
"""

from typing import Any

from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objectives.ppo_clip import clipped_surrogate, per_token
from numerics.reductions import reduce_tokens

FAMILY = "policy"
LEVELS = ("sequence", "token")


def sequence_log_ratio(logp: Tensor, logp_old: Tensor, mask: Tensor) -> Tensor:
    """log s [B]; 0 for a row without tokens."""
    tokens = mask.sum(-1).clamp(min=1.0)
    return ((logp - logp_old) * mask).sum(-1) / tokens


def gspo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 3e-4,
    clip_high: float = 4e-4,
    level: str = "sequence",
    log_ratio_cap: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B] or [B,T]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through s where it is not clipped, below log_ratio_cap where one is given.
    Raises: UnusableInput for an unknown level.

    >>> import torch
    >>> logp, old, one = torch.tensor([[0.0, -2.0]]), torch.tensor([[-1.0, -1.0]]), torch.ones(1, 2)
    >>> float(gspo(logp, old, one, one))  # the ratios e and 1/e have the geometric mean 1
    -1.0
    """
    if level not in LEVELS:
        raise UnusableInput("unknown level", expected=", ".join(LEVELS), got=repr(level))
    log_s = sequence_log_ratio(logp, logp_old, mask)[:, None].expand_as(logp)
    if level == "token":
        log_s = log_s.detach() + logp - logp.detach()
    if log_ratio_cap is not None:
        log_s = log_s.clamp(max=log_ratio_cap)
    values = -clipped_surrogate(log_s.exp(), per_token(adv, logp), clip, clip_high)
    return reduce_tokens(values, mask, "seq-mean-token-mean", guard=guard)


def specification(
    *, clip: float = 3e-4, clip_high: float = 4e-4, log_ratio_cap: float | None = None
) -> Any:
    """The loss of a response with one advantage, in adv and the functions logp, logp_old, mask of
    its positions.
    """
    from derivations.language.syntax import exp, smaller
    from numerics.row_terms import mean_over_tokens, row_variables
    from numerics.token_terms import between, decimal

    x = row_variables()
    log_s = mean_over_tokens(lambda t: x["logp"](t) - x["logp_old"](t))
    if log_ratio_cap is not None:
        log_s = smaller(log_s, decimal(log_ratio_cap))
    s, adv = exp(log_s), x["adv"]
    return -smaller(s * adv, between(s, 1 - decimal(clip), 1 + decimal(clip_high)) * adv)
