"""What pages say of a theorem is what replaying its certificate gives; nothing else can turn them
green, and one broken line turns page, map and home page red."""

from __future__ import annotations

import re
from pathlib import Path

from docs.graph import Layout
from docs.page import theorem_page
from docs.pages.chapters import chapter_page, theorems_page
from docs.pages.home import home_page
from docs.pages.map import map_page
from docs.record import replayed_record
from docs.site import Site
from tests.docs.samples import made, right, site_of, wrong
from tests.numerics.derivation_files import FALSE_LINE, RIGHT


def drawn(site: Site) -> Layout:
    nodes = {r.id: (100.0 * i, 50.0) for i, r in enumerate(site.records)}
    return Layout(500, 100, nodes, ())


def test_a_proved_theorem_is_green_everywhere(tmp_path: Path) -> None:
    site = site_of(right(tmp_path))
    page = theorem_page(site.records[0], site)
    assert 'class="status proved">proved</span> by replay of' in page
    assert "for sets of every size" in page
    assert "2 of 2 theorems proved" in home_page(site, "$ proofgrad", drawn(site))
    for text in (
        page,
        home_page(site, "", drawn(site)),
        map_page(site, drawn(site)),
        theorems_page(site),
    ):
        assert "refused" not in text


def test_one_broken_line_turns_page_map_and_home_red(tmp_path: Path) -> None:
    site = site_of(wrong(tmp_path))
    broken = site.records[0]
    page = theorem_page(broken, site)
    assert 'class="status refused">refused</span>' in page
    assert f"line {FALSE_LINE} of" in page
    assert 'class="status proved"' not in page
    home = home_page(site, "", drawn(site))
    assert '<span class="status refused">0 of 2 theorems proved</span>' in home
    assert "twice is two" in home
    drawing = map_page(site, drawn(site))
    for text in (drawing, home):  # with the one that cites it
        assert len(re.findall(r'class="node c0 refused"', text)) == 2
    assert "2 not proved" in drawing
    assert 'class="status refused"' in chapter_page(broken.chapter, site)


def test_a_certificate_with_one_step_changed_is_refused(tmp_path: Path) -> None:
    m = made(RIGHT, tmp_path)[0]
    body = m["certificate"]["bodies"][m["certificate"]["main"]]
    body["steps"][-1][0] = "antisymmetry"
    r = replayed_record(m, {})
    assert r.status == "refused" and r.refusal is not None
    assert 'class="verdict refused"' in theorem_page(r, site_of([r]))


def test_a_missing_lemma_is_a_gap(tmp_path: Path) -> None:
    m = made(RIGHT, tmp_path)[1]
    c = m["certificate"]
    c["bodies"] = {c["main"]: c["bodies"][c["main"]]}
    r = replayed_record(m, {})
    assert r.status == "gap"
    assert "has a gap" in theorem_page(r, site_of([r]))


def test_without_a_certificate_nothing_is_proved(tmp_path: Path) -> None:
    m = {**made(RIGHT, tmp_path)[0], "certificate": None, "status": "proved"}
    assert replayed_record(m, {}).status == "refused"


def test_reasons_and_citations_are_links(tmp_path: Path) -> None:
    site = site_of(right(tmp_path))
    first, second = (theorem_page(r, site) for r in site.records)
    assert "[p sums to one](#given-1)" in first
    assert "[twice is two](" in second
    assert "**Used by**: [four times is four]" in first
    assert "proofgrad 1.2.3, theorem sums.twice" in first
