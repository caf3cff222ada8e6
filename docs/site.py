"""What all pages are made from: the records, who uses whom, and where a name in a proof leads."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from docs.record import Record


@dataclass(frozen=True)
class Release:
    """The version, the commit and its date, and where the source is, if a place is configured."""

    version: str
    commit: str
    date: str
    epoch: int


@dataclass(frozen=True)
class Site:
    """All records; `laws` tells which axiom stands behind a name that proofs cite."""

    records: tuple[Record, ...]
    release: Release
    laws: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Record]:
        """Theorems by full id and, where that is unique, by the last part of it."""
        found: dict[str, Record] = {}
        for r in self.records:
            found.setdefault(r.name, r)
        return found | {r.id: r for r in self.records}

    @cached_property
    def used_by(self) -> dict[str, list[str]]:
        """For each theorem the theorems that cite it."""
        found: dict[str, list[str]] = {r.id: [] for r in self.records}
        for r in self.records:
            for lemma in r.uses:
                found.setdefault(lemma, []).append(r.id)
        return found

    @cached_property
    def chapters(self) -> dict[str, list[Record]]:
        """The theorems by chapter, in the catalogue's order."""
        found: dict[str, list[Record]] = {}
        for r in self.records:
            found.setdefault(r.chapter, []).append(r)
        return found

    def count(self, status: str) -> int:
        """How many theorems have this status."""
        return sum(r.status == status for r in self.records)

    def axioms(self) -> list[str]:
        """The axioms that anything here rests on."""
        return sorted({a for r in self.records for a in r.axioms})


def path_of(id: str) -> str:
    """The source page of a theorem; its address follows from it and is permanent."""
    chapter, _, name = id.rpartition(".")
    return f"theorems/{chapter}/{name}.md"


def address_of(path: str) -> str:
    """The address of a source page: a/b.md is at a/b/."""
    stem = path.removesuffix(".md")
    stem = stem.removesuffix("index")
    return stem if stem.endswith("/") or not stem else stem + "/"


def link(here: str, there: str, fragment: str = "") -> str:
    """From one source page to another, as Markdown links want it."""
    target = posixpath.relpath(there, posixpath.dirname(here) or ".")
    return target + (f"#{fragment}" if fragment else "")


def href(here: str, there: str) -> str:
    """The same for an address in raw HTML."""
    at = "/" + address_of(here)
    found = posixpath.relpath("/" + address_of(there), at)
    return found if there.endswith(".json") else found + "/"
