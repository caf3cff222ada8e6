"""Addresses are permanent: a list of those that were released, and what became of each.

    python -m docs.addresses     adds the addresses of today to docs/addresses.txt, for a release

An address of the list is a page, or stands in docs/moved.txt with the page that it became. Anything
else ends the build.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from docs.site import path_of

HERE = Path(__file__).parent
RELEASED, MOVED = HERE / "addresses.txt", HERE / "moved.txt"
FIXED = ("index", "map", "rules", "claims", "numbers", "command-line", "cite", "theorems/index")
FIXED += ("objectives/index", "figures/index", "exercises/index")


def current() -> set[str]:
    """The source pages of today, by the names alone: nothing is proved for it."""
    from derivations.library import catalogue
    from docs.figures import TITLES
    from docs.pages.api import PATHS
    from docs.pages.exercises import exercise_pages
    from numerics.objectives import references

    names = [t.name for t in catalogue()]
    found = {f"{name}.md" for name in FIXED} | {*PATHS} | {*exercise_pages()}
    found |= {path_of(name) for name in names}
    found |= {f"theorems/{name.partition('.')[0]}/index.md" for name in names}
    found |= {f"objectives/{name}.md" for name in references()}
    found |= {f"figures/{name}.md" for name in TITLES}
    return found | {f"guides/{p.name}" for p in (HERE / "guides").glob("*.md")}


def listed(text: str) -> list[str]:
    """The lines of a list, comments aside."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def moves(text: str) -> dict[str, str]:
    """Old page to new page."""
    found: dict[str, str] = {}
    for line in listed(text):
        old, new = line.split()
        found[old] = new
    return found


def lost(released: Iterable[str], moved: Mapping[str, str], pages: Iterable[str]) -> Iterator[str]:
    """Released addresses that lead nowhere, and moves that do."""
    known = {*pages}
    for path in released:
        if path not in known and path not in moved:
            yield f"{path}: no page and no line in docs/moved.txt"
    for old, new in moved.items():
        if new not in known:
            yield f"{old}: moved to {new}, which is no page"
        if old in known:
            yield f"{old}: moved, and still a page"


def require_permanent(pages: Iterable[str]) -> None:
    """Ends the build when a released address leads nowhere."""
    released = listed(RELEASED.read_text(encoding="utf-8"))
    wrong = [*lost(released, moves(MOVED.read_text(encoding="utf-8")), pages)]
    if wrong:
        raise SystemExit("addresses that were released and are gone:\n  " + "\n  ".join(wrong))


def main() -> None:
    """Adds to the list; it never takes away."""
    text = RELEASED.read_text(encoding="utf-8") if RELEASED.is_file() else ""
    head = [line for line in text.splitlines() if line.startswith("#")]
    lines = [*head, *sorted({*listed(text), *current()})]
    RELEASED.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
