"""Nats, the whole vocabulary, the coefficient."""

import math

import torch

from numerics import check
from numerics.objective import objective
from numerics.objectives.entropy_bonus import entropy_bonus

NAME = "measures_entropy_in_nats"


def entropy(logits):
    logp = torch.log_softmax(logits, -1)
    return -(logp.exp() * logp).sum(-1)


def verdict(loss, *claims: str, **constants) -> str:
    declared = objective(loss, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


def test_the_entropy() -> None:
    bits = lambda logits: entropy(logits) / math.log(2.0)
    mean = lambda logits: entropy(logits) / logits.shape[-1]
    collision = lambda logits: 1 - (logits.softmax(-1) ** 2).sum(-1)
    assert verdict(entropy, "nats") == "pass"
    assert [verdict(loss, "nats") for loss in (bits, mean, collision)] == ["fail"] * 3
    assert verdict(bits) == "not_applicable"


def test_the_bonus_and_its_coefficient() -> None:
    assert verdict(entropy_bonus, "nats", "bonus", coefficient=0.05) == "pass"
    assert verdict(entropy_bonus, "nats", coefficient=0.05) == "fail"
    twice = lambda logits, mask, coefficient: 2 * coefficient * entropy(logits).mean()
    assert verdict(twice, "nats", coefficient=0.05) == "fail"
