"""The bounds of the ratio in an actor-critic's loss, and those with one side missing."""

import pytest
import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.ppo_full import ppo_full

NAME = "clips_where_claimed"
CLAIMS = ("clip 0.8 to 1.2", "dual none")


def verdict(loss, *claims: str, **constants) -> str:
    declared = objective(loss, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


def test_an_actor_critic() -> None:
    assert verdict(ppo_full, *CLAIMS) == "pass"
    assert verdict(ppo_full, *CLAIMS, clip=0.1) == "fail"
    assert verdict(ppo_full) == "not_applicable"


@pytest.mark.parametrize(("low", "high"), [(0.8, torch.inf), (0.0, 1.2)])
def test_a_missing_side(low: float, high: float) -> None:
    def loss(logp, logp_old, adv, mask):
        ratio = (logp - logp_old).exp()
        tokens = torch.minimum(ratio * adv, ratio.clamp(low, high) * adv)
        return -(tokens * mask).sum() / mask.sum()

    assert verdict(loss, *CLAIMS) == "fail"
