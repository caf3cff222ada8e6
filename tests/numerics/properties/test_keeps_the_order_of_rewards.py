"""Rewards that differ are told apart, in their order."""

from numerics import check
from numerics.objectives.group_mean import group_mean

NAME = "keeps_the_order_of_rewards"


def nobody(rewards, group):
    return 0.0 * rewards


def turned(rewards, group, mask):
    return -group_mean(rewards, group, mask)


def test_the_order() -> None:
    verdicts = [check(loss, only=(NAME,)).verdict for loss in (group_mean, nobody, turned)]
    assert verdicts == ["pass", "fail", "fail"]
