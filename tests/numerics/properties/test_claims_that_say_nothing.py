"""A claim without the number or the name that it needs is never a pass and never a traceback."""

import pytest
from torch.nn.functional import logsigmoid

from numerics import check, objective
from numerics.errors import UnusableInput


def surrogate(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def dpo(logp_w, logp_l, ref_w, ref_l):
    return -logsigmoid(0.3 * ((logp_w - ref_w) - (logp_l - ref_l))).mean()


@pytest.mark.parametrize(
    ("loss", "claim", "property"),
    [
        (surrogate, "frozen: nothing", "leaves_declared_inputs_frozen"),
        (dpo, "half at equality", "has_the_claimed_value_at_equality"),
        (dpo, "lowest at its target", "turns_at_the_claimed_margin"),
        (dpo, "saturates: both", "saturates_as_claimed"),
    ],
)
def test_it_is_inconclusive(loss, claim, property) -> None:
    report = check(objective(loss, claims=(claim,)), only=(property,))
    assert report.verdict == "inconclusive"
    assert "a claim" in report.findings[0].message


@pytest.mark.parametrize("claim", ["clip low to high", "dual three", "", " "])
def test_it_is_refused(claim) -> None:
    with pytest.raises(UnusableInput, match="claim"):
        check(objective(surrogate, claims=(claim,)))
