"""The value of a pair of equal sides: scale, target and offset."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives import reference

NAME = "has_the_claimed_value_at_equality"
VALUES = [
    ("bradley_terry", {}, "0.693147"),
    ("dpo", {"beta": 0.5}, "0.693147"),
    ("ipo", {"beta": 0.1}, "25"),
    ("kto", {}, "0.5"),
    ("simpo", {"gamma": 1.0}, "1.313262"),
]


def verdict(name: str, claim: str, constants: dict) -> str:
    claims = (f"{claim} at equality",) if claim else ()
    declared = objective(reference(name).function, claims=claims, constants=constants)
    return check(declared, only=(NAME,)).findings[0].verdict


@pytest.mark.parametrize(("name", "constants", "claim"), VALUES, ids=[v[0] for v in VALUES])
def test_the_value(name: str, constants: dict, claim: str) -> None:
    assert verdict(name, claim, constants) == "pass"
    assert verdict(name, str(2 * float(claim)), constants) == "fail"
    assert verdict(name, "", constants) == "not_applicable"


def test_the_sign_of_an_offset_is_seen() -> None:
    assert verdict("simpo", "1.313262", {"gamma": -1.0}) == "fail"
    assert verdict("bradley_terry", "0.693147", {"margin": 0.5}) == "fail"
