"""Advantage-weighted regression is no fault; weights that do not grow with the advantage are."""

import pytest
import torch

from numerics import check

ABOUT = ("has_the_policy_gradient_on_policy", "is_linear_in_the_advantages")


def weighted(weigh):
    def loss(logp, logp_old, adv, mask):
        return -(weigh(adv) * logp * mask).sum() / mask.sum()

    return loss


def verdicts(weigh):
    return {finding.verdict for finding in check(weighted(weigh), only=ABOUT).findings}


@pytest.mark.parametrize("weigh", [torch.exp, lambda a: a.exp().clamp(max=5.0)])
def test_an_increasing_positive_weight_is_no_policy_gradient(weigh) -> None:
    assert verdicts(weigh) == {"not_applicable"}


@pytest.mark.parametrize("weigh", [torch.abs, torch.square, lambda a: (-a).exp(), lambda a: 0 * a])
def test_other_weights_are_faults(weigh) -> None:
    assert "fail" in verdicts(weigh)


def test_the_advantage_itself_passes() -> None:
    assert verdicts(lambda a: a) == {"pass"}
