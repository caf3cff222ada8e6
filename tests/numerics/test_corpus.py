"""Every public mistake is caught by the property that is written beside it, or listed as missed."""

import pytest

from tests.numerics.corpus import cases
from tests.numerics.corpus.out_of_reach import REASONS
from tests.numerics.corpus_table import TABLE, failed, judged, public

CASES = cases()
MISTAKES = sorted(name for name in CASES if not name.startswith("control-"))
CONTROLS = sorted(set(CASES) - set(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
def test_the_wrong_one_is_refused_and_the_right_one_passes(name: str) -> None:
    case = CASES[name]
    assert not {"like", "spec"} & set(case.declared)
    assert failed(judged(case, "wrong", (case.property,))) == {case.property}
    assert judged(case, "right").verdict == "pass"


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_is_not_flagged(name: str) -> None:
    assert judged(CASES[name], "wrong").verdict == "pass"
    assert judged(CASES[name], "right").verdict == "pass"


def test_every_public_case_is_written_or_has_a_reason() -> None:
    known = {entry["id"] for entry in public()}
    assert set(CASES) | set(REASONS) == known
    assert not set(CASES) & set(REASONS)


def test_the_table_says_what_is_in_the_corpus() -> None:
    """Rows without running them again: the tests above run each."""
    text = TABLE.read_text()
    assert f"{len(MISTAKES)} of {len(public()) - len(CONTROLS)} mistakes caught" in text
    for name in MISTAKES:
        assert f"| {name} | caught | `{CASES[name].property}`" in text
    for name in CONTROLS:
        assert f"| {name} | passed |" in text
    for name, reason in REASONS.items():
        assert f"| {name} | out of reach | {reason} |" in text
