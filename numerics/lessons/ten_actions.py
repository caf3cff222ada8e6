"""Ten epochs of PPO on one batch of a bandit with ten actions: the clip does not hold the policy.

    old policy uniform; standardised normal advantages; full batch, each action once; Adam 0.1
    objective = mean_a min(rho_a A_a, clip(rho_a, 0.8, 1.2) A_a), or mean_a rho_a A_a for clip = inf

Source: the trust-region lesson's notebook claims it; the settings are this project's own. Theorem:
`clip_does_not_bound_the_divergence`.
Shapes: logits [10]; advantages [10]; ratios [10].
Sign: the objective is maximised; the divergence is KL(old || new).
Units: nats.
Gradient: through the logits, by `numerics.lessons.ppo`.
Raises: what `ppo_update` raises.

>>> trained = run(clip=0.2)
>>> trained.share_outside, round(trained.growth) > 10
(1.0, True)
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from numerics.lessons.ppo import Batch, Settings, as_given, ppo_update

ACTIONS, EPOCHS, CLIP, RATE, SEED = 10, 10, 0.2, 0.1, 2


class Bandit(nn.Module):
    """One state: logits of the actions and no value; uniform at the start."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(actions, dtype=torch.float64))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The same logits [N,A] for every row, and zeros [N]."""
        rows = len(observations)
        return self.logits.expand(rows, -1), torch.zeros(rows, dtype=torch.float64)


@dataclass(frozen=True)
class Trained:
    """What training leaves.

    divergences     KL(old || new) after each epoch
    shares_outside  the share of ratios off [0.8, 1.2] after each epoch
    ratios          pi / pi_old at the end
    """

    divergences: tuple[float, ...]
    shares_outside: tuple[float, ...]
    ratios: tuple[float, ...]

    @property
    def share_outside(self) -> float:
        """The share of ratios outside at the end."""
        return self.shares_outside[-1]

    @property
    def largest_ratio(self) -> float:
        """The largest ratio at the end."""
        return max(self.ratios)

    @property
    def growth(self) -> float:
        """The final divergence over that after the first epoch."""
        return self.divergences[-1] / self.divergences[0]


def advantages() -> Tensor:
    """Ten normal draws with mean 0 and population standard deviation 1."""
    drawn = torch.from_numpy(np.random.default_rng(SEED).normal(size=ACTIONS))
    return (drawn - drawn.mean()) / drawn.std(correction=0)


def batch() -> Batch:
    """Each action once, under the uniform policy."""
    nothing = torch.zeros(ACTIONS, dtype=torch.float64)
    uniform = torch.full_like(nothing, -math.log(ACTIONS))
    return Batch(nothing[:, None], torch.arange(ACTIONS), uniform, advantages(), nothing, nothing)


def run(clip: float) -> Trained:
    """Train from the uniform policy; clip = inf is the objective without a clip."""
    settings = Settings(
        epochs=EPOCHS,
        minibatch=ACTIONS,
        clip=clip,
        value_weight=0.0,
        entropy_weight=0.0,
        learning_rate=RATE,
        gradient_norm=math.inf,
        advantages=as_given,
    )
    epochs = ppo_update(Bandit(ACTIONS), batch(), settings).epochs
    return Trained(
        # k3 over a batch that holds each action of a uniform policy once is the divergence itself.
        divergences=tuple(epoch.divergence for epoch in epochs),
        shares_outside=tuple(epoch.share_outside(CLIP) for epoch in epochs),
        ratios=tuple(epochs[-1].ratios.tolist()),
    )
