"""Records of small theorems, right and broken, for the tests of pages."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from derivations.library import load_file
from derivations.tactics.theorem import Theorem, prove
from docs.record import Record, made_of, replayed_record
from docs.site import Release, Site
from tests.numerics.derivation_files import FALSE, RIGHT

RELEASE = Release("1.2.3", "abc123", "2026-01-02", 1767312000)


def theorems(text: str, folder: Path) -> list[Theorem]:
    """The theorems of a file with this text."""
    file = folder / "sums.py"
    file.write_text(text, encoding="utf-8")
    return load_file(file)


def made(text: str, folder: Path) -> list[dict[str, Any]]:
    """What proving the file's theorems gives, as the cache keeps it."""
    return [copy.deepcopy(made_of(prove(t), folder)) for t in theorems(text, folder)]


def right(folder: Path) -> list[Record]:
    """Two proved theorems; the second cites the first."""
    return [replayed_record(m, {}) for m in made(RIGHT, folder)]


def wrong(folder: Path) -> list[Record]:
    """The same with one false line in the first."""
    return [replayed_record(m, {}) for m in made(FALSE, folder)]


def site_of(records: list[Record]) -> Site:
    """A site about these theorems alone."""
    return Site(tuple(records), RELEASE)
