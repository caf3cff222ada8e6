"""The target of a squared preference loss is where its author says."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.ipo import ipo
from numerics.properties import Finding

NAME = "turns_at_the_claimed_margin"


def finding(loss, *claims: str) -> Finding:
    return check(objective(loss, claims=claims), only=(NAME,)).findings[0]


def at(target: float):
    def loss(logp_w, logp_l, ref_w, ref_l):
        return (((logp_w - ref_w) - (logp_l - ref_l) - target) ** 2).mean()

    return loss


@pytest.mark.parametrize("target", [5.0, 0.5, 0.0])
def test_the_target_is_found(target: float) -> None:
    assert finding(at(target), f"lowest at {target}").verdict == "pass"
    assert finding(at(target + 0.01), f"lowest at {target}").verdict == "fail"
    assert finding(at(target)).verdict == "not_applicable"


def test_ipo_of_tokens_has_it_at_half_of_one_over_beta() -> None:
    assert finding(ipo, "lowest at 5").verdict == "pass"
    found = finding(ipo, "lowest at 10")
    assert found.verdict == "fail"
    assert "the slope at a margin of 10" in found.message


def test_a_loss_without_a_target_fails_the_claim() -> None:
    def logistic(logp_w, logp_l, ref_w, ref_l):
        return (-((logp_w - ref_w) - (logp_l - ref_l))).exp().mean()

    assert finding(logistic, "lowest at 5").verdict == "fail"
