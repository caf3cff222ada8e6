"""A clamp of the log-ratio has two sides, in a penalty alone and in a policy's loss."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.grpo import grpo

NAME = "is_flat_beyond_its_clamp"
CLAIM = "flat beyond 5"


def verdict(loss, **constants) -> str:
    declared = objective(loss, claims=(CLAIM,), constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


def limited(low: float, high: float):
    def loss(logp, logp_old, logp_ref, adv, mask):
        gap = (logp_ref - logp).clamp(low, high)
        tokens = 0.1 * (gap.exp() - 1 - gap) - (logp - logp_old).exp() * adv
        return (tokens * mask).sum() / mask.sum()

    return loss


def test_in_a_policy_loss() -> None:
    assert verdict(grpo, kl_log_ratio_clamp=5.0) == "pass"
    assert verdict(grpo) == "fail"


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(-5, 5, "pass"), (-5, 99, "fail"), (-99, 5, "fail")]
)
def test_both_sides(low: float, high: float, expected: str) -> None:
    assert verdict(limited(low, high)) == expected
