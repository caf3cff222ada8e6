"""The small pieces: text that stays text, figures, addresses, redirects, dangling links."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.addresses import moves
from docs.finish import dangling, redirect, unrendered
from docs.markup import paragraphs, plain
from docs.pages.numbers import numbers_page, value
from docs.pages.rules import figure, primitive_rules
from docs.site import address_of, href, link, path_of


def test_plain_text_has_nothing_that_markdown_reads() -> None:
    assert plain("a_b [c] $d$ <e>") == "a&#95;b &#91;c&#93; &#36;d&#36; &#60;e&#62;"
    assert plain("a *word*, a * b * c") == "a <em>word</em>, a &#42; b &#42; c"
    assert plain("see `x_y`") == "see <code>x&#95;y</code>"


def test_indented_lines_of_a_docstring_keep_their_lines() -> None:
    html = paragraphs("One sentence\nof two lines.\n\nx = 1\n  = y,\nwith y <= 2.")
    assert html.startswith("One sentence of two lines.\n\n<pre")
    assert "x = 1\n  = y,</pre>" in html
    assert html.endswith("with y &#60;= 2.")


def test_a_rule_becomes_an_inference_figure() -> None:
    drawn = figure("G |- p  gives  G |- for all v: p, when v is not free in G.")
    assert '<span class="above">G |- p</span>' in drawn
    assert '<span class="below">G |- for all v: p</span>' in drawn
    assert drawn.endswith("When v is not free in G.")


def test_every_rule_is_found() -> None:
    names = [*primitive_rules()]
    assert {"assume", "arithmetic", "word_induction", "by_maximum"} <= {*names}
    assert all(f.__doc__ for f in primitive_rules().values())


def test_addresses() -> None:
    assert path_of("a.b") == "theorems/a/b.md"
    assert address_of("theorems/a/b.md") == "theorems/a/b/"
    assert link("theorems/a/b.md", "rules.md", "x") == "../../rules.md#x"
    assert href("map.md", "theorems/a/b.md") == "../theorems/a/b/"
    assert href("theorems/a/b.md", "certificates/a.b.json") == "../../../certificates/a.b.json"


def test_a_rename_redirects(tmp_path: Path) -> None:
    redirect(tmp_path, moves("# comment\ntheorems/a/old.md theorems/a/new.md\n"))
    text = (tmp_path / "theorems/a/old/index.html").read_text()
    assert 'content="0; url=../new/"' in text
    assert [*dangling(tmp_path)] == ["theorems/a/old/index.html: ../new/"]


def test_a_link_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<a href="there/">x</a> <a href="#y">y</a>')
    assert [*dangling(tmp_path)] == ["index.html: there/"]
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text("")
    assert [*dangling(tmp_path)] == []


def test_labels_names_and_examples_of_a_docstring_are_told_apart() -> None:
    html = paragraphs("Shapes: x [B],\nand y [B].\nUnits: nats.\n\n>>> f(1)\n2")
    assert "<dt>Shapes</dt><dd>x &#91;B&#93;, and y &#91;B&#93;.</dd>" in html
    assert "<dt>Units</dt>" in html and html.endswith("```pycon\n>>> f(1)\n2\n```")
    html = paragraphs("name   what it is\n       and more\nother  another\nA sentence.  Another.")
    assert "<dt><code>name</code></dt><dd>what it is and more</dd>" in html
    assert html.endswith("A sentence.  Another.") and html.count("<dt>") == 2


@pytest.mark.parametrize(
    ("x", "tolerance", "shown"),
    [(0.46, 0.005, "0.46"), ([1.0, -1 / 3], 5e-10, "1, -0.33333333"), (353, 0.5, "353")],
)
def test_a_number_is_shown_as_precisely_as_it_is_compared(
    x: object, tolerance: float, shown: str
) -> None:
    assert value(x, tolerance) == shown


def test_a_number_that_differs_is_red() -> None:
    base = {"id": "x", "lesson": "lesson-a", "what": "x", "printed": 1.0, "tolerance": 0.1}
    good = {**base, "computed": 1.0, "holds": True, "note": ""}
    bad = {**base, "computed": 2.0, "holds": False, "note": ""}
    assert '<span class="status refused">1 of 2 reproduced</span>' in numbers_page([good, bad])
    assert "refused" not in numbers_page([good])


def test_a_formula_that_markdown_did_not_see_is_named(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<p>a price of $3 and <code>$$x$$</code></p>", encoding="utf-8")
    assert [*unrendered(tmp_path)] == []
    page.write_text("<li>π ≥ 0 $$ \\pi \\ge 0 $$</li>", encoding="utf-8")
    assert [*unrendered(tmp_path)] == ["index.html: $$ \\pi \\ge 0 $$</li>"]
