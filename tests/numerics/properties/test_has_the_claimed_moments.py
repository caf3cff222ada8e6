"""Sample or population deviation, mean or none: as claimed."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.group_mean import group_mean
from numerics.objectives.group_normalised import group_normalised
from numerics.objectives.whiten import whiten

NAME = "has_the_claimed_moments"
SAMPLE, POPULATION = "sample deviation", "population deviation"


def verdict(loss, *claims: str, **constants) -> str:
    declared = objective(loss, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


@pytest.mark.parametrize("loss", [group_normalised, whiten], ids=lambda f: f.__name__)
def test_the_deviation_is_the_claimed_one(loss) -> None:
    for kind, right, wrong in (
        ("sample", SAMPLE, POPULATION),
        ("population", POPULATION, SAMPLE),
    ):
        assert verdict(loss, right, deviation=kind) == "pass"
        assert verdict(loss, wrong, deviation=kind) == "fail"
        assert verdict(loss, deviation=kind) == "not_applicable"


def test_an_epsilon_of_a_library_passes() -> None:
    assert verdict(group_normalised, SAMPLE, "mean zero", guard=1e-4) == "pass"
    assert verdict(group_normalised, SAMPLE, spread="tokens") == "pass"


def test_the_mean_is_taken_off_where_it_is_claimed() -> None:
    def scaled_only(x, mask):
        kept = x[mask > 0]
        return x / kept.std() * mask

    assert verdict(whiten, "mean zero") == "pass"
    assert verdict(scaled_only, "mean zero") == "fail"
    assert verdict(group_mean, "mean zero") == "pass"
    assert verdict(group_mean, SAMPLE) == "fail"
