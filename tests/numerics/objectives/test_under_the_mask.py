"""What an estimator or a penalty leaves in the padding is no fault; under the mask it is judged."""

import pytest
import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.gae import gae
from numerics.objectives.rlhf_token_reward import rlhf_token_reward
from numerics.properties import Finding

ONLY = ("matches_the_specification",)
NOTE = "off the mask it differs from the specification, which is not judged"


def finding(loss, **declared) -> Finding:
    return check(objective(loss, **declared), only=ONLY).findings[0]


def messy_gae(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    both = gae(rewards, values, next_values, terminated, truncated, mask, gamma, lam)
    return torch.where(mask > 0, both, 7.0 + values)


def wrong_gae(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
    """The first step of every row is off by a thousandth."""
    both = messy_gae(rewards, values, next_values, terminated, truncated, mask, gamma, lam)
    return both + 1e-3 * torch.nn.functional.one_hot(torch.tensor(0), mask.shape[1])


def messy_reward(logp, logp_ref, score, mask, beta):
    reward = rlhf_token_reward(logp, logp_ref, score, mask, beta)
    return torch.where(mask > 0, reward, -beta * (logp - logp_ref))


def wrong_reward(logp, logp_ref, score, mask, beta):
    return 1.001 * messy_reward(logp, logp_ref, score, mask, beta)


def messy_group(rewards, group, mask):
    same = (group[:, None] == group[None, :]).to(rewards.dtype)
    return (rewards - same @ rewards / same.sum(-1))[:, None].expand_as(mask)


def wrong_group(rewards, group, mask):
    return messy_group(rewards, group, mask) + 0.1


def filled_k3(logp, logp_ref, mask):
    gap = torch.where(mask > 0, logp_ref - logp, 0.0)
    return gap.exp() - 1 - gap


def half_k3(logp, logp_ref, mask):
    return 0.5 * filled_k3(logp, logp_ref, mask)


PAIRS = [
    (messy_gae, wrong_gae, {"like": "gae"}),
    (messy_reward, wrong_reward, {"like": "rlhf_token_reward"}),
    (messy_group, wrong_group, {"like": "group_mean", "spread": "tokens"}),
    (filled_k3, half_k3, {"like": "kl_penalty"}),
]


@pytest.mark.parametrize(
    ("right", "wrong", "claim"), PAIRS, ids=lambda x: getattr(x, "__name__", "")
)
def test_the_padding_is_not_judged_and_the_rest_is(right, wrong, claim: dict) -> None:
    found = finding(right, **claim)
    assert (found.verdict, NOTE in found.notes) == ("pass", True)
    assert finding(wrong, **claim).verdict == "fail"


def test_without_a_mask_every_position_is_judged() -> None:
    def last_token_wrong(logp, logp_ref):
        gap = logp_ref - logp
        value = gap.exp() - 1 - gap
        return torch.cat([value[:, :-1], 2 * value[:, -1:]], -1)

    assert finding(last_token_wrong, like="kl_penalty").verdict == "fail"
    right = finding(gae, like="gae")
    assert (right.verdict, right.notes) == ("pass", ())
