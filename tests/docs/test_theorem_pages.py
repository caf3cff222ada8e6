"""What a theorem's page shows beyond its status: reasons, breaking models, example, chart; and that
a theorem without any of them still has a page."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from derivations.kernel import axioms
from derivations.library import catalogue
from derivations.tactics.theorem import prove
from docs.chart import Axis, Line, chart, curve
from docs.collect import Cache, checked, records
from docs.hypotheses import hypotheses
from docs.page import ANCHORS, theorem_page
from docs.pages.rules import primitive_rules
from docs.plots import plot_of
from docs.plots.visitation_shift_has_a_sharp_bound import linear, sharp
from docs.record import Record, Without, replayed_record
from numerics.necessity import needs
from tests.docs.examples.computing import shift
from tests.docs.samples import made, right, site_of, theorems, wrong
from tests.numerics.derivation_files import RIGHT

TOLD = RIGHT.replace(
    "given=[total])\ndef twice_is_two",
    'given=[total], why={"p sums to one": "p = (2): twice is 4"}, '
    'example="p = (1/2, 1/2): 1 + 1 = 2")\ndef twice_is_two',
)
PLOTS = sorted(p.stem for p in (Path(__file__).parents[2] / "docs/plots").glob("[a-z]*.py"))


def page_of(r: Record) -> str:
    return theorem_page(r, site_of([r]))


def checked_records(text: str, folder: Path) -> list[Record]:
    found = theorems(text, folder)
    return [
        replayed_record({**m, **checked(prove(t))}, {})
        for m, t in zip(made(text, folder), found, strict=True)
    ]


def test_reasons_and_example_are_shown(tmp_path: Path) -> None:
    page = page_of(right_of(TOLD, tmp_path))
    assert '<p class="why">p = (2): twice is 4</p>' in page
    assert "## Example" in page
    assert "p = (1/2, 1/2): 1 + 1 = 2" in page


def right_of(text: str, folder: Path) -> Record:
    return replayed_record(made(text, folder)[0], {})


def test_a_theorem_without_reasons_and_example_has_a_page(tmp_path: Path) -> None:
    page = page_of(right(tmp_path)[0])
    assert 'class="why"' not in page
    assert "## Example" not in page
    assert 'class="without"' not in page
    assert "<figure" not in page


def test_the_page_shows_the_model_that_breaks_the_statement(tmp_path: Path) -> None:
    r = checked_records(TOLD, tmp_path)[0]
    assert [w.kind for w in r.without] == ["fails"]
    page = page_of(r)
    assert "Without it the statement fails" in page
    left = re.search(r"its left side is (\S+), its right side 2", page)
    mass = re.search(r"\|A\| = 1; p = \((\S+)\)", page.replace("&#124;", "|"))
    assert left and mass
    assert float(left[1]) == 2 * float(mass[1]) != 2


def test_the_page_shows_the_statement_in_numbers(tmp_path: Path) -> None:
    r = checked_records(TOLD, tmp_path)[0]
    assert r.worked is not None
    page = page_of(r)
    assert "In the model <code>&#124;A&#124; = 2; p = (" in page
    assert "| [twice](#says-twice) | <code>2 = 2</code> |" in page


def test_a_broken_proof_has_no_models_and_no_chart(tmp_path: Path) -> None:
    r = wrong(tmp_path)[0]
    assert r.status == "refused"
    assert needs(prove(theorems(TOLD.replace("2 * p(a)", "3 * p(a)"), tmp_path)[0])) == ()
    assert 'class="without"' not in page_of(r)
    pinsker = Record(**{**vars(r), "id": f"foundations.{PLOTS[-1]}"})
    assert "<figure" not in page_of(pinsker)


@pytest.mark.parametrize(
    ("w", "said"),
    [
        (Without("unused"), "The proof does not use it."),
        (Without("none", models=70), "No model was found that breaks the statement without it (70"),
        (Without("none"), "No model of the other hypotheses was found"),
        (
            Without("open", "twice", why="1/x", models=9),
            "no longer sees that <code>1/x</code> is defined",
        ),
        (Without("no value", "twice", "|A| = 1"), "Without it the statement has no value"),
    ],
)
def test_what_is_not_found_is_said_so(tmp_path: Path, w: Without, said: str) -> None:
    r = right(tmp_path)[0]
    page = "".join(hypotheses(Record(**{**vars(r), "without": (w,)})))
    assert said in page
    assert ("statement fails" in page) == (w.kind == "fails")


def test_models_are_cached_with_the_cross_check_and_read_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    two = theorems(TOLD, tmp_path)
    first = records(cache, two)
    stored = [json.loads(p.read_text()) for p in (tmp_path / "cache").glob("models-*.json")]
    assert len(stored) == 2
    assert {len(s["without"]) for s in stored} == {1}
    assert all(s["worked"]["rows"] for s in stored)
    assert records(cache, two) == first
    assert [asdict(n) for n in needs(prove(two[0]))] == [asdict(w) for w in first[0].without]


def test_ways_of_reasoning_lead_to_a_rule_or_an_axiom(tmp_path: Path) -> None:
    rules = {f"rule-{name.replace('_', '-')}" for name in primitive_rules()}
    known = rules | {f"axiom-{name.replace('_', '-')}" for name in axioms.names()}
    assert set(ANCHORS.values()) <= known
    assert "[algebra](../../rules.md#rule-normal-form)" in page_of(right(tmp_path)[0])


# ------------------------------------------------------------------ charts


@pytest.mark.parametrize("name", PLOTS)
def test_a_chart_belongs_to_a_theorem_and_is_the_same_every_time(name: str) -> None:
    assert name in {t.name.rpartition(".")[2] for t in catalogue()}
    drawn = plot_of(name)
    assert drawn == plot_of(name)
    assert "nan" not in drawn
    assert re.search(r"<figcaption>.*\d", drawn)
    assert not re.search(r"#[0-9a-f]{3,6}\b", drawn)  # colours are the style sheet's


def test_the_bound_on_the_chart_is_the_one_that_a_process_attains() -> None:
    for alpha in (0.1, 0.5, 1.0):
        assert sharp(alpha, 0.9) == pytest.approx(shift(0.9, alpha))
        assert sharp(alpha, 0.9) <= linear(alpha, 0.9)


def test_there_is_no_chart_for_other_theorems() -> None:
    assert plot_of("policy_gradient") == ""


def test_a_chart_puts_points_where_they_belong_and_cuts_what_leaves_it() -> None:
    x, y = Axis("x", 0, 2, (0, 1, 2)), Axis("y", 0, 1, (0, 1))
    drawn = chart(x, y, [Line("up", [0, 1, 2], [0, 1, 5])], "A caption.")
    assert 'd="M46.0,210.0L237.0,10.0"' in drawn
    decades = Axis("x", 0.1, 10, (0.1, 1, 10), logarithmic=True)
    assert decades.part(1) == pytest.approx(0.5)
    assert curve("f", lambda t: t, decades).ys[60] == pytest.approx(1)
