"""Weights of tokens are measured beside a penalty that has a gradient of its own."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.grpo import grpo

NAME = "weighs_tokens_as_claimed"


@pytest.mark.parametrize("kind", ["k1", "k2", "k3"])
def test_a_penalty_beside_the_surrogate_does_not_count(kind: str) -> None:
    def verdict(claim: str) -> str:
        declared = objective(grpo, claims=(claim,), constants={"kind": kind})
        return check(declared, only=(NAME,)).findings[0].verdict

    assert verdict("seq-mean-token-mean") == "pass"
    assert verdict("token-mean") == "fail"
