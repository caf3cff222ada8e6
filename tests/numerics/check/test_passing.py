"""`dtypes=` and trailing axes: masks of truth values, arrays, lists, float32, [B,T,1]."""

import numpy as np
import pytest
import torch

from numerics import check, objective
from numerics.check.subject import bind
from numerics.errors import UnusableInput

SHAPE = {"B": 2, "T": 4, "V": 8}
ONE = {"seeds": 1, "shapes": (SHAPE,)}


def selected(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv)[mask].mean()


def inverted(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv).masked_fill(~mask, 0.0).sum() / mask.sum()


def indexed(logp, logp_old, adv, mask):
    ends = torch.nn.functional.one_hot(mask, 2)[..., 1]
    return -((logp - logp_old).exp() * adv * ends).sum()


@pytest.mark.parametrize(
    ("loss", "form"), [(selected, "bool"), (inverted, "bool"), (indexed, "int64")]
)
def test_a_mask_is_given_in_the_form_that_the_loss_takes(loss, form: str) -> None:
    assert bind(objective(loss), SHAPE).forms["mask"].dtype == form
    assert check(loss, **ONE).verdict == "pass"


def test_a_mask_of_numbers_stays_one_where_that_runs() -> None:
    def summed(logp, adv, mask):
        return -(logp * adv * mask).sum()

    assert not bind(objective(summed), SHAPE).forms


def columns(logp, logp_old, adv, mask):
    assert adv.shape[-1] == 1
    return -((logp - logp_old).exp() * adv.squeeze(-1) * mask).sum() / mask.sum()


def rows(logp, logp_old, adv, mask):
    assert adv.shape == (len(logp), 1)
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


@pytest.mark.parametrize(("loss", "axes"), [(columns, "BT1"), (rows, "B1")])
def test_a_trailing_axis_is_declared(loss, axes: str) -> None:
    declared = objective(loss, shapes={"adv": axes}, claims=["token-mean"])
    assert check(declared, **ONE).verdict == "pass"
    report = check(objective(loss, shapes={"adv": axes}, claims=["seq-mean-token-mean"]), **ONE)
    assert report.verdict == "fail"


def by_key(rewards, group):
    """Group identity by the values of an array, as a dictionary sees them."""
    assert isinstance(group, np.ndarray)
    means = {g: torch.stack([r for r, h in zip(rewards, group) if h == g]).mean() for g in group}  # noqa: B905
    return rewards - torch.stack([means[g] for g in group])


def from_lists(rewards, group):
    sums = {g: [r for r, h in zip(rewards, group, strict=True) if h == g] for g in group}
    return torch.tensor(
        [r - sum(sums[g]) / len(sums[g]) for r, g in zip(rewards, group, strict=True)]
    )


def test_arrays_and_lists() -> None:
    declared = objective(by_key, dtypes={"group": "numpy"}, like="group_mean")
    assert check(declared, seeds=1).verdict == "pass"
    listed = objective(from_lists, dtypes={"group": "list", "rewards": "list"})
    assert check(listed, seeds=1).verdict == "pass"


def single(logp, logp_old, logp_ref, adv, mask):
    assert {x.dtype for x in (logp, logp_old, logp_ref, adv, mask)} == {torch.float32}
    ratio, gap = (logp - logp_old).exp(), logp_ref - logp
    surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    return ((0.04 * (gap.exp() - 1 - gap) - surrogate) * mask).sum() / mask.sum()


def test_float32_only_code_is_judged_in_float32() -> None:
    declared = {"like": "grpo", "clip": 0.2, "reduce": "token-mean", "dtypes": "float32"}
    right = check(objective(single, beta=0.04, claims=["token-mean"], **declared))
    assert right.verdict == "pass", [f for f in right.findings if f.verdict == "fail"]
    assert check(objective(single, beta=0.041, **declared), **ONE).verdict == "fail"
    with pytest.raises(UnusableInput, match="AssertionError"):
        check(objective(single))


@pytest.mark.parametrize("dtypes", ["float31", {"mask": "float31"}, {"masque": "bool"}])
def test_a_form_that_does_not_exist_is_refused(dtypes) -> None:
    with pytest.raises(UnusableInput, match="dtypes="):
        check(objective(single, dtypes=dtypes))
