"""Bradley-Terry fits: recovery, consistency, and the data that determine nothing."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons import reward_model
from numerics.lessons.divergence import law

REWARDS = law(0.3, -1.0, 1.2, -0.5)  # mean zero, as fits are


def test_the_population_gives_the_rewards_back() -> None:
    fitted = reward_model.fit(reward_model.preference(REWARDS))
    assert torch.allclose(fitted.rewards, REWARDS, atol=1e-9)
    assert fitted.components == (0, 0, 0, 0)


def test_samples_give_them_back_the_better_the_more() -> None:
    error = {}
    for count in (30, 30_000):
        wins = reward_model.compared(REWARDS, count, seed=1)
        assert torch.equal(wins + wins.T, count * (1 - torch.eye(4, dtype=torch.float64)))
        error[count] = float((reward_model.fit(wins).rewards - REWARDS).abs().max())
    assert error[30_000] < 0.05 < error[30]


def test_the_fit_is_where_the_loss_is_flat() -> None:
    wins = reward_model.compared(REWARDS, 50, seed=2)
    at = reward_model.fit(wins).rewards.requires_grad_()
    slope = torch.autograd.grad(reward_model.preference_loss(at, wins), at)[0]
    assert float(slope.abs().max()) < 1e-10
    wrong = REWARDS.flip(0).requires_grad_()
    slope = torch.autograd.grad(reward_model.preference_loss(wrong, wins), wrong)[0]
    assert float(slope.abs().max()) > 1e-3


def test_each_component_has_mean_zero() -> None:
    wins = torch.zeros(4, 4, dtype=torch.float64)
    wins[0, 2], wins[2, 0], wins[1, 3], wins[3, 1] = 3, 1, 1, 1
    fitted = reward_model.fit(wins)
    assert fitted.components == (0, 1, 0, 1)
    assert float(fitted.rewards[0] - fitted.rewards[2]) == pytest.approx(float(law(3.0).log()))
    assert float(fitted.rewards[[0, 2]].sum()) == pytest.approx(0, abs=1e-12)


def test_a_split_that_one_side_always_wins_is_refused() -> None:
    wins = reward_model.preference(REWARDS)
    wins[0, 1:] = 0.0  # response 0 never wins
    with pytest.raises(UnusableInput, match="no maximum at finite rewards"):
        reward_model.fit(wins)
    with pytest.raises(UnusableInput, match="wins"):
        reward_model.fit(torch.zeros(2, 2, dtype=torch.float64))
