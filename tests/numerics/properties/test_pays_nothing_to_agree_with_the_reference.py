"""A penalty starts at zero."""

import pytest

from numerics import check

NAME = "pays_nothing_to_agree_with_the_reference"


def penalised(penalty):
    def loss(logp, logp_old, logp_ref, adv, mask):
        ratio = (logp - logp_old).exp()
        tokens = 0.1 * penalty(logp, logp_ref) - ratio * adv
        return (tokens * mask).sum() / mask.sum()

    return loss


PENALTIES = {
    "k1": (lambda p, q: p - q, "pass"),
    "k2": (lambda p, q: 0.5 * (p - q) ** 2, "pass"),
    "k3": (lambda p, q: (q - p).exp() - 1 - (q - p), "pass"),
    "score form": (lambda p, q: (p - q).detach() * p, "pass"),
    "k3 without its one": (lambda p, q: (q - p).exp() - (q - p), "fail"),
    "no penalty": (lambda p, q: 0 * q, "not_applicable"),
}


@pytest.mark.parametrize("name", PENALTIES)
def test_penalties(name: str) -> None:
    penalty, expected = PENALTIES[name]
    assert check(penalised(penalty), only=(NAME,)).findings[0].verdict == expected
