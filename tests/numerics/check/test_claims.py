"""A claim that no property reads is told; every kind of claim that one reads is not."""

from io import StringIO

import pytest
from rich.console import Console

from numerics import check, objective
from numerics.check.claims import Claim
from numerics.check.report import print_report


def loss(logp, logp_old, adv, mask):
    return -((logp - logp_old).exp() * adv * mask).sum() / mask.sum()


def told(*claims: str, **how) -> tuple[str, ...]:
    return check(objective(loss, claims=claims), seeds=1, **how).unread


@pytest.mark.parametrize(
    "claims",
    [("token-mean",), ("E[r]",), ("frozen: adv",), ("ranks: mean",), ("micro-batches: mean",)],
)
def test_what_is_read(claims: tuple[str, ...]) -> None:
    assert told(*claims) == ()


def test_what_is_not() -> None:
    assert told("tokn-mean", "token-mean", "pair-mean") == ("tokn-mean", "pair-mean")
    assert told("tokn-mean", only=("gradient_is_consistent",)) == ()
    console = Console(file=StringIO(), record=True, width=200)
    print_report(check(objective(loss, claims=["tokn-mean"]), seeds=1), console)
    assert "no property here reads the claim 'tokn-mean'" in console.export_text()


def test_a_claim_is_its_text() -> None:
    claim = Claim("frozen: adv")
    assert not (claim == "other" or claim.startswith("clip") or claim.matched)
    assert hash(claim) == hash("frozen: adv") and claim.removeprefix("frozen: ") == "adv"
    assert {"frozen: adv"} & {claim} and claim.matched
    found = Claim("token-mean")
    assert found in {"token-mean": 1} and found.matched
