"""Every public mistake is caught by the property that is written beside it, or listed as missed."""

import pytest

from tests.numerics.corpus import cases
from tests.numerics.corpus.out_of_reach import REASONS
from tests.numerics.corpus_table import TABLE, failed, judged, outcome, public, table

CASES = cases()
MISTAKES = sorted(name for name in CASES if not name.startswith("control-"))
CONTROLS = sorted(set(CASES) - set(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
def test_the_wrong_one_is_refused_and_the_right_one_passes(name: str) -> None:
    case = CASES[name]
    assert not {"like", "spec"} & set(case.declared)
    assert failed(judged(case, "wrong", (case.property,))) == {case.property}
    right = judged(case, "right")
    assert [f for f in right.findings if f.verdict in ("fail", "inconclusive")] == []
    assert outcome(name)[0] == "caught"


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_is_not_flagged(name: str) -> None:
    assert judged(CASES[name], "wrong").verdict == "pass"
    assert judged(CASES[name], "right").verdict == "pass"


def test_every_public_case_is_written_or_has_a_reason() -> None:
    known = {entry["id"] for entry in public()}
    assert set(CASES) | set(REASONS) == known
    assert not set(CASES) & set(REASONS)


def test_the_table_is_what_its_command_writes() -> None:
    """Reports that the tests above have made are used again."""
    assert TABLE.read_text() == table()
