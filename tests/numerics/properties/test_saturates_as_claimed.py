"""A margin that is large enough pulls no more, where that is claimed."""

import pytest
import torch
from torch.nn.functional import logsigmoid

from numerics import check
from numerics.objective import objective
from numerics.objectives import reference

NAME = "saturates_as_claimed"


def verdict(loss, claim: str | None, **declared) -> str:
    claims = () if claim is None else (claim,)
    return check(objective(loss, claims=claims, **declared), only=(NAME,)).findings[0].verdict


@pytest.mark.parametrize("name", ["dpo", "kto", "simpo", "bradley_terry"])
def test_the_references_saturate(name: str) -> None:
    assert verdict(reference(name).function, "saturates") == "pass"
    assert verdict(reference(name).function, None) == "not_applicable"


def test_one_argument_alone() -> None:
    orpo = reference("orpo").function
    assert verdict(orpo, "saturates: logp_l") == "pass"
    assert verdict(orpo, "saturates") == "fail"


def linear(score_w, score_l):
    return -(score_w - score_l).mean()


def half_linear(logp_w, logp_l, ref_w, ref_l):
    return (0.1 * (logp_l - ref_l)).mean() - logsigmoid(0.1 * (logp_w - ref_w)).mean()


def hinge(score_w, score_l):
    return torch.relu(1 - (score_w - score_l)).mean()


def test_what_is_left_linear_fails() -> None:
    assert verdict(linear, "saturates") == "fail"
    assert verdict(half_linear, "saturates") == "fail"
    assert verdict(hinge, "saturates") == "pass"
