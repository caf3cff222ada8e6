"""Every printed number is recomputed within its tolerance; every predicate holds as worded.

The comparison here is the test's own and reads what is printed from tests/data/numbers.json.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from numerics.errors import UnusableInput
from numerics.lessons import numbers, over_optimisation, two_state
from numerics.lessons.lines import point
from numerics.lessons.numbers import Entry, agrees, all_numbers, entries, recompute

FILE = Path(__file__).parents[2] / "data" / "numbers.json"
PRINTED: dict[str, dict[str, Any]] = {
    entry["id"]: entry for entry in json.loads(FILE.read_text()) if "id" in entry
}


def as_list(x: Any) -> list[float]:
    return [float(y) for y in x] if isinstance(x, list | tuple) else [float(x)]


def within(computed: Any, printed: Any, tolerance: float) -> bool:
    """|computed - printed| <= tolerance elementwise; one printed number serves several ways."""
    left, right = as_list(computed), as_list(printed)
    right = right * len(left) if not isinstance(printed, list) else right
    return all(abs(x - y) <= tolerance + 1e-15 for x, y in zip(left, right, strict=True))


def test_there_is_one_function_for_each_printed_number() -> None:
    assert set(entries()) == set(PRINTED) and len(PRINTED) == 56


@pytest.mark.parametrize("id", PRINTED)
def test_a_number_is_reproduced(id: str) -> None:
    printed, found = PRINTED[id], recompute(entries()[id])
    assert found.lesson == printed["lesson"] and found.tolerance == printed["tolerance"]
    assert as_list(found.printed or 0.0) == as_list(printed["printed"] or 0.0)
    assert found.holds, found
    if printed["tolerance"] is not None:
        assert within(found.computed, printed["printed"], printed["tolerance"]), found


def test_the_predicates_as_worded() -> None:
    steps, values = (2.0, 6.0, 12.0), []
    for t in steps:
        values.append(float(two_state.surrogate(point(t))))
    assert round(values[0], 2) == 2.55 and min(values) > 2.5
    share, largest, growth = as_list(recompute(entries()["ten-actions"]).computed)
    assert share > 0.5 and growth > 10 and largest == pytest.approx(1.63, abs=0.005)
    assert as_list(recompute(entries()["token.kl-reward.sign"]).computed) == [1.0]


def test_all_numbers_are_plain_data() -> None:
    found = all_numbers()
    assert [n.id for n in found] == list(entries())
    json.dumps([[n.id, n.what, n.printed, n.computed, n.note] for n in found])


# ------------------------------------------------------------------ it can fail


def test_a_wrong_function_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = over_optimisation.bought
    from numerics.lessons.numbers import beta

    monkeypatch.setattr(beta, "bought", lambda b: right(2 * b))
    assert not recompute(entries()["beta.half"]).holds
    assert recompute(entries()["beta.kl.ratio"]).holds  # a common factor leaves the ratio
    monkeypatch.setattr(two_state, "surrogate", lambda t: 2.4 + 0 * t)
    assert not recompute(entries()["two-state.surrogate.large"]).holds


def test_agreement_is_elementwise_and_within_the_tolerance() -> None:
    assert agrees(0.965, 0.96, 0.005) and not agrees(0.9651, 0.96, 0.005)
    assert agrees((1.0, 2.0), (1.0, 2.0), 0.0) and not agrees((1.0, 2.1), (1.0, 2.0), 0.05)
    assert agrees((1.0, 1.0), 1.0, 0.1) and not agrees((1.0, 2.0), 1.0, 0.1)
    assert not agrees((1.0,), (1.0, 1.0), 0.1) and not agrees(float("nan"), 1.0, 0.1)
    with pytest.raises(UnusableInput, match="nothing is printed"):
        agrees(1.0, None, None)


def test_two_numbers_with_one_id_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from numerics.lessons.numbers import beta

    again = Entry("fisher.kl", "lesson", "twice", 1.0, 1.0, "", lambda: 1.0)
    monkeypatch.setattr(beta, "again", again, raising=False)
    with pytest.raises(UnusableInput, match="two numbers have one id"):
        numbers.entries.__wrapped__()
