"""What is frozen is reported beside what the specification freezes."""

import pytest
import torch

from numerics import check
from numerics.objective import objective


def finding(loss, **declared):
    return check(objective(loss, **declared), only=("reports_frozen_sites",)).findings[0]


def on_policy(logp, adv, mask):
    return -((logp - logp.detach()).exp() * adv * mask).sum() / mask.sum()


def test_a_site_is_reported_with_its_line() -> None:
    found = finding(on_policy)
    assert found.verdict == "reported"
    assert found.message.startswith("frozen: detach of [2x4] at test_reports_frozen_sites.py:")
    assert found.allowed is None


def test_beside_the_specification() -> None:
    found = finding(on_policy, like="ppo_clip")
    assert (found.verdict, found.observed, found.allowed) == ("reported", 1.0, 1.0)


def test_an_accidental_detach_stands_out() -> None:
    def loss(logp, logp_old, logp_ref, adv, mask):
        gap = logp_ref - logp.detach()
        ratio = (logp - logp_old).exp()
        return ((0.04 * (gap.exp() - 1 - gap) - ratio * adv) * mask).sum() / mask.sum()

    found = finding(loss, like="grpo")
    assert (found.verdict, found.observed, found.allowed) == ("reported", 1.0, 0.0)
    assert found.notes == ("the specification freezes nothing",)


def frozen_old(logp, adv, mask):
    with torch.no_grad():
        old = logp - 0.1
    return -((logp - old).exp() * adv * mask).sum() / mask.sum()


def kl_in_the_reward(logp, logp_old, logp_ref, adv, mask):
    shaped = adv - 0.1 * (logp - logp_ref).detach()
    return -((logp - logp_old).exp() * shaped * mask).sum() / mask.sum()


def item_baseline(logp, logp_old, adv, mask):
    baseline = ((logp - logp_old) * mask).sum().item()
    return -((logp - logp_old).exp() * (adv - baseline) * mask).sum() / mask.sum()


@pytest.mark.parametrize("loss", [on_policy, frozen_old, kl_in_the_reward, item_baseline])
def test_legitimate_stop_gradients_pass_as_a_whole(loss) -> None:
    report = check(loss)
    verdicts = {finding.property: finding.verdict for finding in report.findings}
    assert report.verdict == "pass"
    assert verdicts["gradient_is_consistent"] == "pass"
    assert verdicts["reports_frozen_sites"] == "reported"


def test_nothing_frozen_passes() -> None:
    assert finding(lambda logp, adv: (logp * adv).sum()).verdict == "pass"
