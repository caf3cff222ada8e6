"""The decorator records, leaves the function callable, and is found as a name and as a module."""

import dataclasses

import pytest

import numerics
from numerics import check, objective
from numerics.check import Report
from numerics.objective import Objective
from numerics.objectives.ppo_clip import ppo_clip


def test_three_ways_to_declare() -> None:
    @objective
    def bare(logp, adv):
        return logp + adv

    @objective(like="grpo", clip=0.2, reduce="token-mean", args={"mask": "keep"}, returns=0)
    def full(logp, keep):
        return logp * keep

    called = objective(ppo_clip, like="ppo_clip")
    assert isinstance(bare, Objective)
    assert bare(1, 2) == 3
    assert (full.like, full.returns) == ("grpo", 0)
    assert dict(full.options) == {"clip": 0.2, "reduce": "token-mean"}
    assert dict(full.args) == {"mask": "keep"}
    assert called.name == "ppo_clip"
    assert full.where.startswith("test_objective.py:")


def test_it_is_frozen() -> None:
    declared = objective(ppo_clip)
    with pytest.raises(dataclasses.FrozenInstanceError):
        declared.name = "other"
    with pytest.raises(TypeError):
        declared.options["clip"] = 1


def test_the_public_names_are_both_functions_and_modules() -> None:
    assert numerics.objective(ppo_clip).name == "ppo_clip"
    assert numerics.objective.Objective is Objective
    report = check(ppo_clip, seeds=1, only=("reports_frozen_sites",))
    assert isinstance(report, Report)
    assert numerics.check.Report is Report
    assert callable(numerics.descend)
    assert set(numerics.__all__) <= set(dir(numerics))
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = numerics.no_such_name
