"""Right code is never flagged: variants from libraries and papers pass everything."""

import pytest

from numerics import check, objective
from tests.numerics.properties.right import right

RIGHT = right()
NAMES = [function.__name__ for function, _ in RIGHT]


def flagged(function, declared, seeds: int) -> list[str]:
    report = check(objective(function, **declared), seeds=seeds)
    wrong = ("fail", "inconclusive")
    return [f"{f.property}: {f.message}" for f in report.findings if f.verdict in wrong]


@pytest.mark.parametrize(("function", "declared"), RIGHT, ids=NAMES)
def test_nothing_is_flagged(function, declared) -> None:
    assert flagged(function, declared, 1) == []


@pytest.mark.long
@pytest.mark.parametrize(("function", "declared"), RIGHT, ids=NAMES)
def test_nothing_is_flagged_at_other_seeds(function, declared) -> None:
    assert flagged(function, declared, 8) == []
