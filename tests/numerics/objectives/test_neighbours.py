"""Equivalent forms of every objective pass: with `like=` and by properties alone."""

import pytest

from numerics import check
from numerics.check import Report
from numerics.families import families
from numerics.objective import objective
from numerics.objectives import reference, references
from tests.numerics.objectives.neighbours import Neighbour, neighbours

NEIGHBOURS = neighbours()
COVERAGE = "reaches_every_branch"  # says of few samples that they are few
SPECIFIED = ("matches_the_specification",)


def alone(one: Neighbour, seeds: int) -> Report:
    """Every property at the smallest shape, without a specification."""
    shape = families()[reference(one.like).family].shapes[0]
    return check(objective(one.loss, **one.declared), shapes=(shape,), seeds=seeds)


def specified(one: Neighbour, seeds: int) -> Report:
    """The specification, in both shapes."""
    declared = objective(one.loss, like=one.like, **one.declared, **one.options)
    return check(declared, only=SPECIFIED, seeds=seeds)


def refusals(report: Report) -> list[str]:
    return [f"{f.property}: {f.message}" for f in report.findings if f.verdict != "pass"][:3]


def told(report: Report) -> list[str]:
    """What is not a pass: failures and what stays undecided."""
    return [
        f"{f.property}: {f.verdict}, {f.message}"
        for f in report.findings
        if f.verdict == "fail" or (f.verdict == "inconclusive" and f.property != COVERAGE)
    ]


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_neighbour_passes(name: str) -> None:
    one = NEIGHBOURS[name]
    assert refusals(specified(one, 2)) == []
    assert told(alone(one, 1)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", NEIGHBOURS)
def test_a_neighbour_passes_at_fifty_seeds(name: str) -> None:
    one = NEIGHBOURS[name]
    assert refusals(specified(one, 50)) == []
    assert told(alone(one, 50)) == []


def test_every_objective_has_a_neighbour() -> None:
    """dapo is ppo_clip with other limits."""
    assert {one.like for one in NEIGHBOURS.values()} >= set(references()) - {"dapo", "gpg"}


def test_what_cancellation_loses_is_no_fault_and_a_small_factor_is() -> None:
    """x - relu(x - y) keeps few digits of y where the ratio is e^22.5."""
    right = NEIGHBOURS["ppo_clip:excess_by_relu"]

    def factor(logp, logp_old, adv, mask):
        return (1 + 3e-9) * right.loss(logp, logp_old, adv, mask)

    def offset(logp, logp_old, adv, mask):
        return right.loss(logp, logp_old, adv, mask) + 1e-7

    assert refusals(specified(right, 8)) == []
    for wrong in (factor, offset):
        assert refusals(specified(Neighbour(wrong, "ppo_clip"), 1)) != []
