"""Seeded random laws and processes for the tests of the lessons."""

import torch
from torch import Tensor

from numerics.lessons.tabular import Process


def random_law(seed: int, *shape: int) -> Tensor:
    """Positive laws along the last axis."""
    rng = torch.Generator().manual_seed(seed)
    return torch.softmax(torch.randn(*shape, generator=rng, dtype=torch.float64), -1)


def random_process(seed: int, states: int, actions: int, gamma: float) -> Process:
    """A process with every transition possible."""
    rng = torch.Generator().manual_seed(seed)
    reward = torch.randn(states, actions, generator=rng, dtype=torch.float64)
    law = random_law(seed + 1, states, actions, states)
    return Process(law, reward, random_law(seed + 2, states), gamma)
