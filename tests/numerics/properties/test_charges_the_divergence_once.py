"""A penalty in the reward: charged where the policies differ, and only there."""

import pytest

from numerics import check
from numerics.families.gae import last_steps
from numerics.objective import objective

NAME = "charges_the_divergence_once"


def with_penalty(penalty):
    def rewards(logp, logp_ref, score, mask, beta):
        return (last_steps(mask) * score[:, None] - beta * penalty(logp, logp_ref)) * mask

    return rewards


RIGHT = {
    "k1": lambda p, q: p - q,
    "k2": lambda p, q: 0.5 * (p - q) ** 2,
    "k3": lambda p, q: (q - p).exp() - 1 - (q - p),
}
WRONG = {
    "a sum": lambda p, q: p + q,
    "no reference": lambda p, q: p + 0 * q,
    "no penalty": lambda p, q: 0 * (p + q),
    "twice": lambda p, q: 2 * (p - q),
}


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_penalties(name: str) -> None:
    loss = with_penalty({**RIGHT, **WRONG}[name])
    assert check(loss, only=(NAME,)).verdict == ("pass" if name in RIGHT else "fail")


def test_a_beta_of_zero_charges_nothing() -> None:
    declared = objective(with_penalty(RIGHT["k1"]), constants={"beta": 0.0})
    assert check(declared, only=(NAME,)).findings[0].verdict == "not_applicable"
