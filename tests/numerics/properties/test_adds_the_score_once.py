"""Where the score of a response stands, where that is claimed."""

import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.rlhf_token_reward import rlhf_token_reward

NAME = "adds_the_score_once"
CLAIM = "score at the end"


def at_the_first(logp, logp_ref, score, mask, beta):
    first = torch.zeros_like(mask)
    first[:, 0] = 1.0
    return (first * score[:, None] - beta * (logp - logp_ref)) * mask


def shared_out(logp, logp_ref, score, mask, beta):
    return (score[:, None] / mask.sum(-1, keepdim=True) - beta * (logp - logp_ref)) * mask


def verdict(loss, *claims: str) -> str:
    return check(objective(loss, claims=claims), only=(NAME,)).findings[0].verdict


def test_the_place_is_judged_under_the_claim_only() -> None:
    for loss in (rlhf_token_reward, at_the_first, shared_out):
        assert verdict(loss) == "pass"
    assert verdict(rlhf_token_reward, CLAIM) == "pass"
    assert verdict(at_the_first, CLAIM) == "fail"
    assert verdict(shared_out, CLAIM) == "fail"
