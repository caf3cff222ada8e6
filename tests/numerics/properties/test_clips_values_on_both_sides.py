"""The value clip has two sides of one width."""

import pytest
import torch

from numerics import check
from numerics.objectives.value_clip import value_clip

NAME = "clips_values_on_both_sides"


def clipped(low: float, high: float):
    def loss(value, value_old, returns, mask):
        near = value_old + (value - value_old).clamp(-low, high)
        worst = torch.maximum((value - returns) ** 2, (near - returns) ** 2)
        return (worst * mask).sum() / mask.sum()

    return loss


def huber(value, value_old, returns, mask):
    near = value_old + (value - value_old).clamp(-0.2, 0.2)
    error = torch.nn.functional.smooth_l1_loss
    worst = torch.maximum(*(error(v, returns, reduction="none") for v in (value, near)))
    return (worst * mask).sum() / mask.sum()


def expectile(value, returns, mask):
    gap = returns - value
    return (torch.where(gap > 0, 0.7, 0.3) * gap**2 * mask).sum() / mask.sum()


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [
        (value_clip, "pass"),
        (huber, "pass"),
        (expectile, "not_applicable"),
        (clipped(0.2, 0.2), "pass"),
        (clipped(0.2, torch.inf), "fail"),
        (clipped(torch.inf, 0.2), "fail"),
        (clipped(0.2, 0.3), "fail"),
    ],
)
def test_both_sides(loss, verdict: str) -> None:
    assert check(loss, only=(NAME,)).findings[0].verdict == verdict
