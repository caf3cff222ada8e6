"""Every property tells a right loss from a wrong one, at the smallest sample that shows it."""

import pytest

from numerics import check, objective
from numerics.check import Report
from tests.numerics.properties.pairs import Pair, pairs

PAIRS = pairs()
REPORTS: dict[tuple[str, str, str], Report] = {}


def declared(pair: Pair, which: str):
    return objective(getattr(pair, which), **pair.declared)


def judged_right(pair: Pair) -> Report:
    """The full report, once for all pairs that share a right loss and what it declares."""
    key = (pair.right.__name__, repr(sorted(pair.declared.items())), pair.right.__module__)
    if key not in REPORTS:
        REPORTS[key] = check(declared(pair, "right"), seeds=2)
    return REPORTS[key]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_the_wrong_one_is_refused_at_the_smallest_sample(pair: Pair) -> None:
    (found,) = check(declared(pair, "wrong"), only=(pair.about,)).findings
    assert found.verdict == "fail", found.message
    assert found.counterexample is not None
    shape, seed = (found.counterexample[name] for name in ("shape", "seed"))
    assert found.message == found.counterexample["guess"]
    (again,) = check(
        declared(pair, "wrong"), only=(pair.about,), shapes=(shape,), seed=seed, seeds=1
    ).findings
    assert again.verdict == "fail"
    assert again.message == found.message


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_the_right_one_passes_everything(pair: Pair) -> None:
    report = judged_right(pair)
    assert [f.message for f in report.findings if f.verdict in ("fail", "inconclusive")] == []
    told = {finding.property: finding.verdict for finding in report.findings}
    assert told[pair.about] == "pass"
