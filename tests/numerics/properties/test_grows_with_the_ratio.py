"""An importance weight is new over old, never old over new."""

import pytest
import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives import reference, references

NAME = "grows_with_the_ratio"
POLICY = [name for name, known in references().items() if known.family == "policy"]


def verdict(loss) -> str:
    return check(loss, only=(NAME,)).findings[0].verdict


RATIOS = ["ppo_clip", "dual_clip", "grpo", "cispo", "sapo", "gspo", "gmpo", "luspo"]


def weighted(exponent):
    def loss(logp, logp_old, adv, mask):
        weight = exponent(logp - logp_old, adv).exp().clamp(max=5.0).detach()
        return -(weight * adv * logp * mask).sum() / mask.sum()

    return loss


def test_a_ratio_that_is_turned_round_fails() -> None:
    assert verdict(weighted(lambda gap, adv: gap)) == "pass"
    assert verdict(weighted(lambda gap, adv: -gap)) == "fail"


def test_what_is_done_on_purpose_passes() -> None:
    for_good_tokens_only = lambda gap, adv: torch.where(adv > 0, -gap, gap)
    assert verdict(weighted(for_good_tokens_only)) == "pass"
    assert verdict(weighted(lambda gap, adv: 0.0 * gap)) == "pass"
    assert verdict(weighted(lambda gap, adv: 0.5 * gap)) == "pass"


@pytest.mark.parametrize("name", POLICY)
def test_no_reference_is_refused(name: str) -> None:
    assert verdict(reference(name).function) in ("pass", "not_applicable")


@pytest.mark.parametrize("name", RATIOS)
def test_under_the_claim_it_grows_like_the_ratio(name: str) -> None:
    declared = objective(reference(name).function, claims=("weighed by the ratio",))
    assert verdict(declared) == "pass"


def test_the_claim_refuses_other_weights() -> None:
    for exponent in (0.0, 0.5, 2.0):
        loss = weighted(lambda gap, adv, power=exponent: power * gap)
        assert verdict(objective(loss, claims=("weighed by the ratio",))) == "fail"
    right = weighted(lambda gap, adv: gap)
    assert verdict(objective(right, claims=("weighed by the ratio",))) == "pass"
