"""Advantages against the sum that defines them; terminations and truncations."""

import pytest
import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.gae import gae

GAMMA, LAM = 0.9, 0.7


def episode(length: int) -> tuple[Tensor, Tensor, Tensor]:
    rng = torch.Generator().manual_seed(length)
    rewards, values = (torch.randn(length, generator=rng, dtype=torch.float64) for _ in range(2))
    last = torch.randn(1, generator=rng, dtype=torch.float64)
    return rewards, values, torch.cat([values[1:], last])


def test_it_is_the_discounted_sum_of_residuals() -> None:
    rewards, values, following = episode(6)
    none = torch.zeros(6)
    found = gae(rewards, values, following, none, none, gamma=GAMMA, lam=LAM).advantages
    residuals = rewards + GAMMA * following - values
    for t in range(6):
        weights = (GAMMA * LAM) ** torch.arange(6 - t, dtype=torch.float64)
        assert float(found[t]) == pytest.approx(float(weights @ residuals[t:]), abs=1e-12)


def test_the_ends_of_lambda() -> None:
    rewards, values, following = episode(4)
    none = torch.zeros(4)
    short = gae(rewards, values, following, none, none, gamma=GAMMA, lam=0.0)
    assert torch.allclose(short.advantages, rewards + GAMMA * following - values)
    full = gae(rewards, values, following, none, none, gamma=GAMMA, lam=1.0)
    returned = sum(GAMMA**t * rewards[t] for t in range(4)) + GAMMA**4 * following[-1]
    assert float(full.returns[0]) == pytest.approx(float(returned), abs=1e-12)


def test_the_value_target_is_the_lambda_return() -> None:
    rewards, values, following = episode(5)
    none = torch.zeros(5)
    returns = gae(rewards, values, following, none, none, gamma=GAMMA, lam=LAM).returns
    mixed = (1 - LAM) * following[:-1] + LAM * returns[1:]
    assert torch.allclose(returns[:-1], rewards[:-1] + GAMMA * mixed, atol=1e-12)


def test_a_termination_has_no_future_and_a_truncation_has_a_value() -> None:
    rewards, values, following = episode(5)
    end, none = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0]), torch.zeros(5)
    terminated = gae(rewards, values, following, end, none, gamma=GAMMA, lam=LAM)
    truncated = gae(rewards, values, following, none, end, gamma=GAMMA, lam=LAM)
    assert float(terminated.returns[2]) == pytest.approx(float(rewards[2]), abs=1e-12)
    bootstrapped = float(rewards[2] + GAMMA * following[2])
    assert float(truncated.returns[2]) == pytest.approx(bootstrapped, abs=1e-12)
    for found in (terminated, truncated):  # what follows the end is another episode
        tail = gae(*(x[3:] for x in (rewards, values, following, none, none)), gamma=GAMMA, lam=LAM)
        assert torch.allclose(found.advantages[3:], tail.advantages)


def test_batches_are_rows() -> None:
    rows = [episode(4), tuple(-x for x in episode(4))]
    rewards, values, following = (torch.stack(x) for x in zip(*rows, strict=True))
    none = torch.zeros(2, 4)
    both = gae(rewards, values, following, none, none, gamma=GAMMA, lam=LAM).advantages
    assert torch.allclose(both[0], -both[1])


def test_unusable_input_is_refused() -> None:
    x = torch.zeros(3)
    with pytest.raises(UnusableInput, match="lambda"):
        gae(x, x, x, x, x, gamma=0.9, lam=1.1)
    with pytest.raises(UnusableInput, match="shapes differ"):
        gae(x, x, x[:2], x, x, gamma=0.9, lam=0.9)
