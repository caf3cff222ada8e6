"""What the samples did not reach makes the whole inconclusive, and is named."""

import pytest
import torch

from numerics import check, objective
from numerics.check.report import as_json
from numerics.objectives.ppo_clip import ppo_clip

NAME = "reaches_every_branch"


def grpo_with(beta: float):
    def loss(logp, logp_old, logp_ref, adv, mask):
        gap = logp_ref - logp
        ratio = (logp - logp_old).exp()
        surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        return ((beta * (gap.exp() - 1 - gap) - surrogate) * mask).sum() / mask.sum()

    return loss


def finding(loss, **how):
    (found,) = check(loss, only=(NAME,), **how).findings
    return found


def test_the_default_samples_reach_everything() -> None:
    found = finding(grpo_with(0.04))
    assert (found.verdict, found.message) == ("pass", "all 9 are reached")


@pytest.mark.parametrize("seed", range(5))
def test_one_seed_is_enough(seed: int) -> None:
    assert finding(grpo_with(0.04), seed=seed, seeds=1).verdict == "pass"


def test_a_single_token_reaches_one_side_of_the_clip_and_no_padding() -> None:
    report = check(ppo_clip, shapes=({"B": 1, "T": 1, "V": 3},), seeds=1)
    found = next(f for f in report.findings if f.property == NAME)
    assert found.verdict == report.verdict == "inconclusive"
    missed = found.message.removeprefix("not reached: ").split(", ")
    assert "padding" in missed
    assert "ratio below 0.8" in missed
    assert not any(f.verdict == "fail" for f in report.findings)
    assert as_json([report])["objectives"][0]["verdict"] == "inconclusive"


def test_a_penalty_that_is_switched_off_is_not_judged() -> None:
    assert "beta > 0" in finding(grpo_with(0.0)).message
    assert finding(grpo_with(0.0)).verdict == "inconclusive"
    assert check(grpo_with(0.0), seeds=1).verdict == "inconclusive"


def test_only_branches_of_the_loss_itself_are_asked_for() -> None:
    def reinforce(logp, adv):
        return -(logp * adv).mean()

    found = finding(reinforce, shapes=({"B": 2, "T": 4, "V": 3},), seeds=1)
    assert found.verdict == "pass"

    def masked(logp, adv, mask):
        return -(logp * adv * mask).sum() / mask.sum()

    assert "padding" in finding(masked, shapes=({"B": 1, "T": 1, "V": 3},), seeds=1).message


def test_a_batch_on_policy_never_meets_the_clip() -> None:
    x = torch.linspace(-2.0, -0.5, 8, dtype=torch.float64).view(2, 4)
    adv = torch.tensor([[1.0], [-1.0]]).expand(2, 4).double()
    batch = {"logp": x, "logp_old": x, "logp_ref": x - 0.1, "adv": adv}
    batch["mask"] = torch.tensor([[1.0, 1, 1, 1], [1, 1, 0, 0]]).double()
    found = finding(grpo_with(0.04), inputs=batch)
    assert found.verdict == "inconclusive"
    assert "ratio above 1.2, A > 0" in found.message
    assert "padding" not in found.message


def test_a_batch_that_holds_only_what_is_taken_is_not_counted() -> None:
    batch = {"logp": torch.full((1, 2), -1.0), "adv": torch.ones(1, 2)}
    loss = objective(lambda logp, adv: (logp * adv).sum())
    assert finding(loss, inputs=batch).verdict == "reported"
