"""Known losses written another way are named with their constants; others: where they differ."""

import pytest
import torch

from numerics import objective
from numerics.check.identify import identify
from numerics.errors import UnusableInput


def one_sided_clip(logp, logp_old, logp_ref, adv, mask):
    """The minimum written as one clamp for each sign; half of GRPO's loss."""
    ratio = (logp - logp_old).exp()
    surrogate = torch.where(adv > 0, ratio.clamp(max=1.28), ratio.clamp(min=0.8)) * adv
    gap = (logp_ref - logp).clamp(-20, 20)
    penalty = 0.03 * (gap.exp() - 1 - gap)
    return 0.5 * (((penalty - surrogate) * mask).sum(-1) / mask.sum(-1)).mean()


def capped_from_logits(logits, labels, logp_old, adv, mask):
    logp = torch.log_softmax(logits, -1).gather(-1, labels[..., None])[..., 0]
    ratio = (logp - logp_old).exp()
    surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    surrogate = torch.where(adv < 0, torch.maximum(surrogate, 2.5 * adv), surrogate)
    return -(surrogate * mask).sum() / mask.sum()


def half_a_square(logp, logp_ref, mask):
    return 0.5 * (logp - logp_ref) ** 2


def without_a_minimum(logp, logp_old, adv, mask):
    """On-policy and inside the clip this is PPO."""
    ratio = (logp - logp_old).exp()
    return -(ratio.clamp(0.8, 1.2) * adv * mask).sum() / mask.sum()


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (one_sided_clip, "0.5 * grpo(clip_high=0.28, beta=0.03, kl_log_ratio_clamp=20.0)"),
        (capped_from_logits, "dual_clip(dual=2.5)"),
        (half_a_square, "kl_penalty(kind='k2')"),
    ],
)
def test_an_equal_loss_is_named_with_its_constants(loss, text: str) -> None:
    found = identify(objective(loss))
    assert found.equal
    assert text in [candidate.text for candidate in (found.closest, *found.also)]
    assert found.tried >= 9


def test_a_loss_that_differs_off_policy_only_is_told_apart() -> None:
    found = identify(objective(without_a_minimum))
    assert not found.equal
    assert found.difference.startswith("sample (B=")


def test_a_penalty_of_zero_has_no_kind() -> None:
    found = identify(objective(capped_from_logits))
    kinds = [c.text for c in found.also if c.reference == "grpo"]
    assert kinds == ["grpo(dual=2.5, beta=0.0, reduce='token-mean')"]


def test_a_loss_that_cannot_run_is_refused() -> None:
    with pytest.raises(UnusableInput):
        identify(objective(lambda logp, adv: None))
