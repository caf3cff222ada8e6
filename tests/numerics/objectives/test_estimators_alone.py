"""Properties of estimators without a specification: results of either kind and shape."""

import pytest

from numerics import check
from numerics.objective import objective
from numerics.objectives.gae import gae
from numerics.objectives.group_mean import group_mean

ORACLE = "agrees_with_advantages_summed_backwards"


def of(output: str, times: float = 1.0):
    def estimator(rewards, values, next_values, terminated, truncated, mask, gamma, lam):
        given = rewards, values, next_values, terminated, truncated, mask, gamma, lam
        return times * gae(*given, output=output)

    return estimator


@pytest.mark.parametrize("output", ["advantages", "returns"])
def test_advantages_and_value_targets_are_both_results(output: str) -> None:
    judged = lambda loss, *claims: check(objective(loss, claims=claims), only=(ORACLE,)).verdict
    other = {"advantages": "returns", "returns": "advantages"}[output]
    assert judged(of(output)) == "pass"
    assert judged(of(output), output) == "pass"
    assert judged(of(output), other) == "fail"
    assert judged(of(output, 1.01)) == "fail"


def test_an_option_that_changes_the_shape_of_the_result_matters() -> None:
    declared = objective(group_mean, constants={"spread": "tokens"})
    (found,) = check(declared, only=("changes_with_every_option",)).findings
    assert (found.verdict, found.message) == ("pass", "spread")
