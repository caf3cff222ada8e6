"""Trajectories of the two-state process and a small actor-critic, for the test of PPO."""

import torch
from torch import Tensor, nn

from numerics.lessons.gae import gae
from numerics.lessons.ppo import Batch
from numerics.lessons.tabular import Process

HORIZON = 20  # steps after which an episode is truncated and the start is drawn again


class ActorCritic(nn.Module):
    """Logits and a value for each state, from its one-hot vector."""

    def __init__(self, states: int, actions: int) -> None:
        super().__init__()
        self.actor = nn.Parameter(torch.zeros(states, actions, dtype=torch.float64))
        self.critic = nn.Parameter(torch.zeros(states, dtype=torch.float64))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        return observations @ self.actor, observations @ self.critic


def walk(process: Process, model: ActorCritic, count: int, seed: int) -> Batch:
    """`count` steps of the model's policy, truncated every HORIZON steps, with GAE."""
    rng = torch.Generator().manual_seed(seed)
    policy = torch.softmax(model.actor.detach(), -1)
    state, rows = int(process.start.argmax()), []
    for t in range(count):
        action = int(torch.multinomial(policy[state], 1, generator=rng))
        law = process.transition[state, action]
        after = int(torch.multinomial(law, 1, generator=rng))
        cut = (t + 1) % HORIZON == 0
        rows.append((state, action, after, float(process.reward[state, action]), float(cut)))
        state = int(process.start.argmax()) if cut else after
    states, actions, following = (torch.tensor([r[k] for r in rows]) for k in range(3))
    rewards, cuts = (torch.tensor([r[k] for r in rows], dtype=torch.float64) for k in (3, 4))
    value = model.critic.detach()
    found = gae(
        rewards, value[states], value[following], 0 * cuts, cuts, gamma=process.gamma, lam=0.95
    )
    observations = torch.eye(len(value), dtype=torch.float64)[states]
    logp = policy.log()[states, actions]
    return Batch(observations, actions, logp, found.advantages, found.returns, value[states])
