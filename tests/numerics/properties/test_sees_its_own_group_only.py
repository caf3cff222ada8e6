"""Other prompts do not matter, but for one scale of the whole batch."""

import pytest

from numerics import check

NAME = "sees_its_own_group_only"


def centred(rewards, group):
    same = (group[:, None] == group[None, :]).to(rewards.dtype)
    return rewards - same @ rewards / same.sum(-1)


def scaled_by_the_batch(rewards, group):
    """The deviation of the batch: REINFORCE++ with a baseline, TRL's scale_rewards="batch"."""
    found = centred(rewards, group)
    return found / (found.std() + 1e-6)


def centred_over_the_batch(rewards, group):
    found = centred(rewards, group)
    return found - rewards.mean() / 10


def of_the_next_group(rewards, group):
    return centred(rewards, group).roll(1)


@pytest.mark.parametrize("estimator", [centred, scaled_by_the_batch], ids=lambda f: f.__name__)
def test_right_estimators(estimator) -> None:
    assert check(estimator, only=(NAME,)).findings[0].verdict == "pass"


@pytest.mark.parametrize(
    "estimator", [centred_over_the_batch, of_the_next_group], ids=lambda f: f.__name__
)
def test_wrong_estimators(estimator) -> None:
    assert check(estimator, only=(NAME,)).findings[0].verdict == "fail"
