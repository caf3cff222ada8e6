"""The rewards of a response's tokens: a penalty on each and the score on the last.

    r_t = -beta (logp - logp_ref) + score at the last token

The function is the lesson's; this is its place among the objectives.

Source: Ouyang et al. (2022), equation 2.
Theorem: `token_rewards_sum_to_the_penalised_score`.
"""

from typing import Any

from torch import Tensor

from numerics.lessons.token_rewards import token_rewards

FAMILY = "token_reward"


def rlhf_token_reward(
    logp: Tensor, logp_ref: Tensor, score: Tensor, mask: Tensor, beta: float
) -> Tensor:
    """The rewards, zero off the mask; the function is that of `numerics.lessons.token_rewards`.

    Shapes: logp, logp_ref, mask [B,T]; score [B]; beta a number; the result [B,T].
    Sign: maximised.
    Units: those of the score; beta turns nats into them.
    Gradient: data that callers hold fixed.
    Raises: UnusableInput for shapes that differ and for a row without tokens.

    >>> import torch
    >>> gap, one = torch.tensor([[0.25, -0.5]]), torch.ones(1, 2)
    >>> rlhf_token_reward(gap, 0 * gap, torch.tensor([1.0]), one, 1.0).tolist()
    [[-0.25, 1.5]]
    """
    return token_rewards(logp, logp_ref, score, mask, beta=float(beta))


def specification() -> Any:
    """The reward of a token, in logp, logp_ref, score, beta and last, 1 at the last token."""
    from numerics.token_terms import token_variables

    x = token_variables()
    return -x["beta"] * (x["logp"] - x["logp_ref"]) + x["score"] * x["last"]
