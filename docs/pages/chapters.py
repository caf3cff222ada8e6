"""A chapter's page: its theorems, each with its status and its first sentence."""

from __future__ import annotations

from docs.markup import page, plain, sentence, status_mark
from docs.record import Record
from docs.site import Site


def chapter_page(chapter: str, site: Site) -> str:
    """All theorems of a chapter."""
    records = site.chapters[chapter]
    title = sentence(chapter)
    return page(
        title,
        f"Theorems of the chapter {title.lower()}",
        f"# {title}",
        "\n".join(entry(r) for r in records),
    )


def theorems_page(site: Site) -> str:
    """Where a reader who wants everything starts."""
    blocks = []
    for chapter, records in site.chapters.items():
        blocks.append(f"## [{sentence(chapter)}]({chapter}/index.md)")
        blocks.append("\n".join(entry(r, f"{chapter}/") for r in records))
    return page("Theorems", "Every theorem, by chapter", "# Theorems", *blocks)


def entry(r: Record, folder: str = "") -> str:
    """One line a theorem."""
    doc = plain(r.doc.partition("\n")[0])
    mark = "" if r.status == "proved" else f" {status_mark(r.status)}"
    return f"- [{sentence(r.name)}]({folder}{r.name}.md){mark}<br>{doc}"
