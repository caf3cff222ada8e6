"""A released address is a page for ever, or leads to the page that it became."""

from __future__ import annotations

from docs.addresses import MOVED, RELEASED, current, listed, lost, moves
from docs.pages.cite import signed
from docs.record import Record
from docs.site import Site
from tests.docs.samples import RELEASE


def test_every_released_address_is_a_page_or_leads_to_one() -> None:
    released = listed(RELEASED.read_text(encoding="utf-8"))
    assert len(released) > 100 and released == sorted({*released})
    assert [*lost(released, moves(MOVED.read_text(encoding="utf-8")), current())] == []


def test_a_renamed_page_without_a_redirect_is_seen() -> None:
    released = ["theorems/a/old.md", "map.md"]
    gone = "theorems/a/old.md: no page and no line in docs/moved.txt"
    assert [*lost(released, {}, ["theorems/a/new.md", "map.md"])] == [gone]
    moved = {"theorems/a/old.md": "theorems/a/new.md"}
    assert [*lost(released, moved, ["theorems/a/new.md", "map.md"])] == []


def test_a_redirect_to_nowhere_or_from_a_page_is_seen() -> None:
    told = [*lost([], {"a.md": "b.md"}, ["a.md"])]
    assert told == ["a.md: moved to b.md, which is no page", "a.md: moved, and still a page"]


def test_every_page_says_its_version_and_how_to_cite_it() -> None:
    none: tuple[Record, ...] = ()
    text = signed("objectives/ppo_clip.md", "# ppo_clip\n", Site(none, RELEASE))
    assert "proofgrad 1.2.3 (commit abc123, 2026-01-02), objectives/ppo_clip." in text
    assert '<a href="../../cite/">How to cite</a>' in text
    assert signed("certificates/a.json", "{}", Site(none, RELEASE)) == "{}"
