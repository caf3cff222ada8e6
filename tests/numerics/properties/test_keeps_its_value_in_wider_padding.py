"""A division by the padded length is a convention, and said; a claim makes it a fault."""

import pytest

from numerics import check, objective

NAME = "keeps_its_value_in_wider_padding"


def over_tokens(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def over_cells(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).mean()


def over_the_square(logp, logp_old, adv, mask):
    return over_cells(logp, logp_old, adv, mask) / mask.shape[-1]


@pytest.mark.parametrize(
    ("loss", "claims", "verdict"),
    [
        (over_tokens, (), "pass"),
        (over_tokens, ("token-mean",), "pass"),
        (over_cells, (), "reported"),
        (over_cells, ("seq-mean-token-sum-norm",), "reported"),
        (over_cells, ("token-mean",), "fail"),
        (over_the_square, (), "fail"),
    ],
)
def test_the_verdict(loss, claims, verdict) -> None:
    (found,) = check(objective(loss, claims=claims), only=(NAME,)).findings
    assert found.verdict == verdict
    assert verdict != "reported" or found.message == "the loss is divided by the padded length T"
