"""Numbers of the rewards per token."""

import torch
from torch import Tensor

from numerics.lessons.divergence import law
from numerics.lessons.numbers import TRUST_REGIONS, Judged, number
from numerics.lessons.token_rewards import token_rewards


def rewards() -> Tensor:
    """The rewards of the four tokens of the worked example."""
    gap = law(0.2, -0.1, 0.4, 0.0)[None]
    mask = torch.ones_like(gap)
    return token_rewards(gap, torch.zeros_like(gap), law(0.8), mask, beta=0.05)[0]


@number("rlhf.tokens", TRUST_REGIONS, "rewards of four tokens", (-0.01, 0.005, -0.02, 0.8), 5e-10)
def per_token() -> Tensor:
    return rewards()


@number("rlhf.sum", TRUST_REGIONS, "their sum", 0.775, 5e-10)
def total() -> Tensor:
    return rewards().sum()


@number(
    "token.kl-reward.sign",
    TRUST_REGIONS,
    "a token less likely than under the reference has a positive KL reward",
    1.0,
)
def sign() -> Judged:
    logp, logp_ref = law(0.2).log()[None], law(0.4).log()[None]
    reward = float(token_rewards(logp, logp_ref, law(0.0), torch.ones(1, 1), beta=0.05))
    return Judged(float(torch.tensor(reward).sign()), reward > 0, f"{reward:.4f} at beta = 0.05")
