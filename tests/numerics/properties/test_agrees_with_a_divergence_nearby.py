"""Every estimator has the divergence's coefficient near the reference."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.kl_penalty import ESTIMATORS, WEIGHTS, kl_penalty

NAME = "agrees_with_a_divergence_nearby"


def verdict(loss, *claims: str, **constants) -> str:
    declared = objective(loss, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("ratio", WEIGHTS)
def test_estimators(kind: str, ratio: str) -> None:
    assert verdict(kl_penalty, "a divergence", kind=kind, ratio=ratio) == "pass"
    assert verdict(kl_penalty, kind=kind, ratio=ratio) == "not_applicable"


def test_wrong_coefficients() -> None:
    whole_square = lambda logp, logp_ref: (logp - logp_ref) ** 2
    fourth = lambda logp, logp_ref: 0.5 * (logp - logp_ref) ** 4
    other_way = lambda logp, logp_ref: logp_ref - logp
    for loss in (whole_square, fourth, other_way):
        assert verdict(loss, "a divergence") == "fail"
