"""Both sides of a pair count; hinges and stopped gradients are no faults."""

import pytest
import torch

from numerics import check

NAME = "prefers_the_preferred"


def margin(logp_w, logp_l, ref_w, ref_l):
    return 0.1 * ((logp_w - ref_w) - (logp_l - ref_l))


def hinge(logp_w, logp_l):
    return torch.relu(logp_l - logp_w).mean()


def slic(logp_w, logp_l, ref_w, ref_l):
    return torch.relu(1.0 - margin(logp_w, logp_l, ref_w, ref_l)).mean()


def exponential(logp_w, logp_l, ref_w, ref_l):
    return (-margin(logp_w, logp_l, ref_w, ref_l)).exp().mean()


def stopped(logp_w, logp_l, ref_w, ref_l):
    return slic(logp_w, logp_l.detach(), ref_w, ref_l)


def apo_down(logp_w, logp_l, ref_w, ref_l):
    """Level in the preferred response where both are equal: it pushes the rejected one away."""
    chosen = 0.1 * (logp_w - ref_w)
    return (chosen.sigmoid() + 1 - margin(logp_w, logp_l, ref_w, ref_l).sigmoid()).mean()


def preferred_left_out(logp_w, logp_l, ref_w, ref_l):
    return exponential(ref_w + 0 * logp_w, logp_l, ref_w, ref_l)


def rejected_left_out(logp_w, logp_l, ref_w, ref_l):
    return exponential(logp_w, ref_l + 0 * logp_l, ref_w, ref_l)


def rejected_preferred(logp_w, logp_l, ref_w, ref_l):
    return exponential(logp_l, logp_w, ref_l, ref_w)


@pytest.mark.parametrize(
    "loss", [hinge, slic, exponential, stopped, apo_down], ids=lambda f: f.__name__
)
def test_right_losses(loss) -> None:
    assert check(loss, only=(NAME,)).verdict == "pass"


@pytest.mark.parametrize(
    "loss", [rejected_left_out, preferred_left_out, rejected_preferred], ids=lambda f: f.__name__
)
def test_wrong_losses(loss) -> None:
    assert check(loss, only=(NAME,)).verdict == "fail"
