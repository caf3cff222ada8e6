"""Group policy gradient: REINFORCE on group advantages, averaged over all tokens of the batch.

    loss = -sum_bt m A log pi / sum_bt m

Source: Chu et al., "GPG: A Simple and Strong Reinforcement Learning Baseline for Model Reasoning"
(2025).
Theorem: `token_mean_weighs_sequences_by_length`.
"""

from typing import Any

from torch import Tensor

from numerics.objectives import reinforce as base
from numerics.objectives.ppo_clip import per_token
from numerics.reductions import reduce_tokens

FAMILY = "policy"


def gpg(
    logp: Tensor,
    adv: Tensor,
    mask: Tensor,
    *,
    reduce: str = "token-mean",
    norm: float | None = None,
    guard: float = 0.0,
) -> Tensor:
    """The loss.

    Shapes: logp, mask [B,T]; adv [B,T] or [B]; the result [].
    Sign: minimised.
    Units: log-probabilities in nats; the loss in nats times the unit of the advantage.
    Gradient: through logp.
    Raises: UnusableInput for an unknown reduction.

    >>> import torch
    >>> logp, one = torch.tensor([[-1.0, -2.0]]), torch.ones(1, 2)
    >>> float(gpg(logp, torch.tensor([3.0]), one))  # -3 (-1 - 2) / 2
    4.5
    """
    return reduce_tokens(-per_token(adv, logp) * logp, mask, reduce, norm=norm, guard=guard)


def specification() -> Any:
    """REINFORCE's."""
    return base.specification()
