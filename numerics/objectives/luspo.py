"""LUSPO: GSPO's loss of a response, weighted by its length.

    loss = -mean_i |y_i| min(s_i A_i, clip(s_i, 1 - clip, 1 + clip_high) A_i)

Source: "Length-Unbiased Sequence Policy Optimization" (2026): GSPO's mean over tokens weighs the
tokens of long responses less, this weight undoes it.
Theorem: `length_normalisation_follows_another_objective`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import gspo as base
from numerics.objectives.ppo_clip import clipped_surrogate, per_token
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def luspo(
    logp: Tensor,
    logp_old: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    clip: float = 3e-4,
    clip_high: float = 4e-4,
) -> Tensor:
    """The loss.

    Shapes: logp, logp_old, mask [B,T]; adv [B] or [B,T]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in the unit of the advantage.
    Gradient: through s where it is not clipped.
    Raises: nothing of its own.

    >>> import torch
    >>> x, one = torch.zeros(1, 3), torch.ones(1, 3)
    >>> float(luspo(x, x, torch.tensor([2.0]), one))  # -3 * 2
    -6.0
    """
    s = base.sequence_log_ratio(logp, logp_old, mask).exp()[:, None].expand_as(logp)
    values = -clipped_surrogate(s, per_token(adv, logp), clip, clip_high)
    return reduce_tokens(values, mask, "seq-mean-token-sum")


def specification(*, clip: float = 3e-4, clip_high: float = 4e-4) -> Any:
    """GSPO's loss of a response times its number of tokens."""
    from numerics.row_terms import length_term

    return length_term() * base.specification(clip=clip, clip_high=clip_high)
