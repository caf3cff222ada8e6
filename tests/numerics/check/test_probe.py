"""Constants read from a loss: bounds of ratios and of their logarithms, caps, limits of values."""

import pytest
import torch

from numerics import objective
from numerics.check.probe import Breaks, breaks_of
from numerics.check.subject import bind
from numerics.objectives import references

SHAPE = {"B": 2, "T": 4, "V": 5}


def breaks(name: str, **options) -> Breaks:
    return breaks_of(bind(objective(references()[name].function, constants=options), SHAPE))


def reading(name: str, **options) -> dict:
    return breaks(name, **options).readings()[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ppo_clip", {"clip": 0.1, "clip_high": 0.35}),
        ("dual_clip", {"clip": 0.2, "clip_high": 0.3, "dual": 2.5}),
        ("gspo", {"clip": 3e-4, "clip_high": 4e-4}),
        ("cispo", {"lowest": 0.4, "highest": 3.0}),
    ],
)
def test_the_constants_of_a_clip(name: str, options: dict) -> None:
    found = reading(name, **options)
    assert {n: found[n] for n in options} == options


def test_limits_of_the_log_ratio() -> None:
    found = breaks("gmpo", clip=0.3, clip_high=0.5).readings()[1]
    assert (found["clip"], found["clip_high"]) == (0.3, 0.5)


def test_a_clamp_of_the_log_ratio_is_no_clip() -> None:
    assert reading("trpo_surrogate", log_ratio_clamp=20.0) == {"log_ratio_clamp": 20.0}


def test_the_limit_of_a_value() -> None:
    assert reading("value_clip", clip=0.3) == {"value_limit": 0.3}
    assert reading("value_clip", clip=None) == {}


def test_a_loss_without_bounds_has_none() -> None:
    assert breaks("trpo_surrogate") == Breaks()
    assert breaks("reinforce") == Breaks()


def test_a_smooth_loss_is_not_followed_exactly() -> None:
    """SAPO leaves its line at once and at no kink; what is read is no option of it."""
    assert breaks("sapo").high is not None
    assert not {"clip", "clip_high"} & set(references()["sapo"].options)


def test_the_constants_of_a_groups_loss() -> None:
    def loss(logp, logp_old, rewards, group, mask):
        mean = torch.stack([rewards[group == g].mean() for g in group])
        adv = (rewards - mean)[:, None]
        ratio = (logp - logp_old).exp()
        return -(torch.minimum(ratio * adv, ratio.clamp(0.7, 1.4) * adv) * mask).sum() / mask.sum()

    found = breaks_of(bind(objective(loss), SHAPE)).readings()[0]
    assert (found["clip"], found["clip_high"]) == (0.3, 0.4)
