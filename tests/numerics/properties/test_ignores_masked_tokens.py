"""Refilled padding changes nothing in a right loss; leaks in value or gradient are refused."""

import pytest
import torch

from numerics import check
from numerics.objectives.grpo import grpo
from numerics.objectives.kl_penalty import kl_penalty


def finding(loss):
    return check(loss, only=("ignores_masked_tokens",)).findings[0]


def unmasked_mean(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv).mean() + 0 * mask.sum()


def padded_statistics(logp, logp_old, adv, mask):
    adv = adv - adv.mean()
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def leaking_penalty(logp, logp_ref, mask):
    return ((logp - logp_ref) ** 2 * mask).sum() + 0.01 * logp.sum()


def row_maximum(logp, logp_old, adv, mask):
    return -((logp - logp.amax(-1, keepdim=True)).exp() * adv * mask).sum() + 0 * logp_old.sum()


def right_by_selection(logp, logp_old, adv, mask):
    kept = mask.bool()
    return -((logp - logp_old).exp() * adv)[kept].mean()


def right_by_masked_statistics(logp, logp_old, adv, mask):
    mean = (adv * mask).sum() / mask.sum()
    return -((logp - logp_old).exp() * (adv - mean) * mask).sum() / mask.sum()


def right_by_filling(logp, logp_old, adv, mask):
    ratio = torch.where(mask.bool(), logp - logp_old, 0.0).exp()
    return -(ratio * adv * mask).sum(-1).mean()


@pytest.mark.parametrize("loss", [unmasked_mean, padded_statistics, leaking_penalty, row_maximum])
def test_a_leak_is_refused(loss) -> None:
    found = finding(loss)
    assert found.verdict == "fail"
    assert found.counterexample is not None
    assert found.counterexample["shape"] == {"B": 2, "T": 4, "V": 8}
    assert (found.observed or 0.0) > (found.allowed or 0.0)


@pytest.mark.parametrize(
    "loss", [right_by_selection, right_by_masked_statistics, right_by_filling, grpo]
)
def test_a_right_loss_passes(loss) -> None:
    assert finding(loss).verdict == "pass"


def test_a_penalty_per_token_is_judged_where_it_counts() -> None:
    assert finding(kl_penalty).verdict == "pass"


def test_without_a_mask_it_does_not_apply() -> None:
    assert finding(lambda logp, adv: (logp * adv).sum()).verdict == "not_applicable"


def test_a_gradient_at_masked_logits_is_refused() -> None:
    def loss(logits, labels, adv, mask):
        logp = torch.log_softmax(logits, -1).gather(-1, labels[..., None])[..., 0]
        return -(logp * adv * mask).sum() + 1e-3 * torch.logsumexp(logits, -1).sum()

    assert finding(loss).verdict == "fail"
