"""The three terms of an actor-critic's loss, each in its size."""

import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.ppo_full import ppo_full

NAME = "weighs_its_terms_as_claimed"
CLAIMS = ("token-mean", "value weight 0.5", "entropy weight 0.01")


def verdict(loss, *claims: str) -> str:
    return check(objective(loss, claims=claims), only=(NAME,)).findings[0].verdict


def loss_with(value_weight: float, entropy_weight: float):
    def loss(logp, logp_old, adv, value, value_old, returns, entropy, mask):
        given = logp, logp_old, adv, value, value_old, returns, entropy, mask
        return ppo_full(*given, value_weight=value_weight, entropy_weight=entropy_weight)

    return loss


def test_sizes_under_a_reduction() -> None:
    assert verdict(ppo_full, *CLAIMS) == "pass"
    assert verdict(loss_with(1.0, 0.01), *CLAIMS) == "fail"
    assert verdict(loss_with(0.5, 0.0), *CLAIMS) == "fail"
    assert verdict(loss_with(0.5, 0.02), *CLAIMS) == "fail"
    assert verdict(ppo_full, "seq-mean-token-sum", *CLAIMS[1:]) == "fail"


def test_signs_without_one() -> None:
    assert verdict(loss_with(1.0, 0.02), *CLAIMS[1:]) == "pass"
    assert verdict(loss_with(0.5, -0.01), *CLAIMS[1:]) == "fail"
    assert verdict(ppo_full) == "not_applicable"


def test_a_fourth_power_is_no_squared_error() -> None:
    def fourth(logp, adv, value, returns, entropy, mask):
        tokens = 0.5 * (value - returns) ** 4 - 0.01 * entropy - adv * logp
        return torch.where(mask > 0, tokens, 0.0).sum() / mask.sum()

    assert verdict(fourth, *CLAIMS) == "fail"
