"""The value clip begins where its author says."""

import pytest
import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.ppo_full import ppo_full
from numerics.objectives.value_clip import value_clip

NAME = "clips_values_where_claimed"


def verdict(loss, *claims: str, **constants) -> str:
    declared = objective(loss, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


def drifting(value, value_old, returns, mask):
    """The clipped error is measured from the value itself."""
    near = value_old + (value - value_old).clamp(-0.2, 0.2)
    worst = torch.maximum((value - returns) ** 2, (near - value) ** 2)
    return (worst * mask).sum() / mask.sum()


@pytest.mark.parametrize(
    ("claim", "clip", "expected"),
    [
        ("value clip 0.2", 0.2, "pass"),
        ("value clip 0.2", 0.21, "fail"),
        ("value clip 0.2", 0.19, "fail"),
        ("value clip 0.2", None, "fail"),
        ("value clip none", None, "pass"),
        ("value clip none", 0.2, "fail"),
    ],
)
def test_bounds(claim: str, clip: float | None, expected: str) -> None:
    assert verdict(value_clip, claim, clip=clip) == expected
    assert verdict(ppo_full, claim, value_limit=clip) == expected


def test_a_clip_that_does_nothing() -> None:
    assert verdict(drifting, "value clip 0.2") == "fail"
    assert verdict(drifting) == "not_applicable"
