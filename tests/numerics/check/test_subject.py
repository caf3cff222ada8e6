"""Binding: axes of the advantages, silent broadcasts avoided, results picked."""

import pytest
import torch

from numerics import check
from numerics.check.subject import bind
from numerics.errors import UnusableInput
from numerics.objective import objective

SHAPE = {"B": 2, "T": 4, "V": 8}


def per_response(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv[:, None] * mask).sum()


def unsqueezed(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv.unsqueeze(1) * mask).sum()


def per_token(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum()


@pytest.mark.parametrize(
    ("loss", "axes"), [(per_response, "B"), (unsqueezed, "B"), (per_token, "BT")]
)
def test_the_axes_of_the_advantages_are_found(loss, axes: str) -> None:
    assert bind(objective(loss), SHAPE).axes["adv"] == axes
    assert check(loss, seeds=1).verdict == "pass"


def test_declared_axes_are_kept() -> None:
    subject = bind(objective(per_response, shapes={"adv": "BT"}), SHAPE)
    assert subject.axes["adv"] == "BT"


@pytest.mark.parametrize(
    ("returns", "result"),
    [(0, lambda x: (x, 1)), ("loss", lambda x: {"loss": x}), (-1, lambda x: [0, x])],
)
def test_the_loss_is_picked_from_a_result(returns, result) -> None:
    def loss(logp, adv):
        return result((logp * adv).sum())

    subject = bind(objective(loss, returns=returns), SHAPE)
    assert subject.value(subject.sample(SHAPE, 0)).dim() == 0
    missing = bind(objective(loss, returns="absent"), SHAPE)
    with pytest.raises(UnusableInput, match="no result 'absent'"):
        missing.value(missing.sample(SHAPE, 0))


def test_an_integer_result_is_refused() -> None:
    subject = bind(objective(lambda logp, adv: (logp * adv).sum().long()), SHAPE)
    with pytest.raises(UnusableInput, match="int64"):
        subject.value(subject.sample(SHAPE, 0))


def test_an_exception_is_told_at_the_users_line() -> None:
    def loss(logp, adv):
        return torch.log_softmax(logp, 5)

    subject = bind(objective(loss), SHAPE)
    with pytest.raises(UnusableInput) as caught:
        subject.raw(subject.sample(SHAPE, 0))
    assert "test_subject.py:" in str(caught.value)
    assert "logp [2, 4]" in str(caught.value)


def test_a_stack_of_terms_does_not_confuse_the_axes() -> None:
    def stacked(logp, logp_old, adv, mask):
        terms = torch.stack([(logp - logp_old).exp() * adv[:, None], 0 * logp, 0 * logp])
        return -(terms.sum(0) * mask).sum()

    assert bind(objective(stacked), SHAPE).axes["adv"] == "B"
