"""Rewards reach the responses that earned them, in the right size."""

import pytest
import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.rloo import rloo
from numerics.properties import Finding

NAME = "credits_responses_within_their_group"
CLAIMS = ("leave-one-out", "seq-mean-token-sum")


def finding(loss, *claims: str) -> Finding:
    return check(objective(loss, claims=claims), only=(NAME,)).findings[0]


def centred(rewards, group):
    same = (group[:, None] == group[None, :]).to(rewards.dtype)
    return rewards - same @ rewards / same.sum(-1)


def by(advantages, times=1.0):
    def loss(logp, rewards, group, mask):
        adv = times * advantages(rewards, group)
        return -(adv[:, None] * logp * mask).sum(-1).mean()

    return loss


def scaled(rewards, group):
    same = (group[:, None] == group[None, :]).to(rewards.dtype)
    apart = centred(rewards, group)
    return apart / ((same @ apart**2 / same.sum(-1)).sqrt() + 1e-6)


def test_right_losses() -> None:
    assert finding(rloo, *CLAIMS).verdict == "pass"
    assert finding(rloo).verdict == "pass"
    assert finding(by(centred), "group mean", CLAIMS[1]).verdict == "pass"
    assert finding(by(scaled)).verdict == "pass"
    assert finding(by(from_the_median)).verdict == "pass"
    assert finding(by(lambda rewards, group: rewards)).verdict == "pass"  # a convention


def test_weights_by_likelihood_are_no_faults() -> None:
    def imitating(logp, rewards, group, mask):
        weight = (1 - logp.exp()).detach()
        return -(weight * centred(rewards, group)[:, None] * logp * mask).sum(-1).mean()

    assert finding(imitating).verdict == "pass"


def from_the_median(rewards, group):
    return torch.stack(
        [r - rewards[group == g].median() for r, g in zip(rewards, group, strict=True)]
    )


@pytest.mark.parametrize(
    "loss",
    [
        by(centred, -1.0),
        by(centred, 0.0),
        by(lambda rewards, group: centred(rewards, group).roll(1)),
    ],
    ids=["turned", "nobody", "off by one"],
)
def test_wrong_losses(loss) -> None:
    assert finding(loss).verdict == "fail"


def test_the_size_is_judged_under_a_claim() -> None:
    assert finding(by(centred)).verdict == "pass"
    found = finding(by(centred), *CLAIMS)
    assert found.verdict == "fail"
    assert "leave-one-out: 1" in found.message
    assert finding(by(centred, 2.0), "group mean", CLAIMS[1]).verdict == "fail"
    assert finding(by(lambda rewards, group: rewards), CLAIMS[0]).verdict == "fail"
