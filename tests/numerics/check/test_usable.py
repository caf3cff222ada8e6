"""A message names the smallest sample, and conventions of tiny batches are no reason to refuse."""

import pytest
import torch

from numerics import check
from numerics.check.subject import bind
from numerics.check.usable import require_usable
from numerics.errors import UnusableInput
from numerics.objective import objective

SHAPE = {"B": 2, "T": 4, "V": 8}


def test_the_smallest_sample_that_is_not_finite_is_named() -> None:
    def loss(logp, adv, mask):
        return (logp * adv).sum() / (mask.shape[1] - 2 if mask.shape[1] < 4 else 0)

    with pytest.raises(UnusableInput) as caught:
        require_usable(bind(objective(loss), SHAPE), SHAPE, 0)
    assert "B=1, T=2" in str(caught.value)


def test_a_statistic_of_one_row_does_not_make_a_loss_unusable() -> None:
    """std of a single row is NaN; batches have more."""

    def loss(logp, adv, mask):
        scaled = (adv - adv.mean()) / adv.std()
        return -(logp * scaled * mask).sum() / mask.sum()

    assert check(loss, only=("gradient_is_consistent",), seeds=1).verdict == "pass"


def test_a_recorded_base_is_returned() -> None:
    subject = bind(objective(lambda logp, adv: (logp * adv).sum()), SHAPE)
    recorded = require_usable(subject, SHAPE, 0)
    assert torch.isfinite(recorded.value)
    assert recorded.sites == ()
