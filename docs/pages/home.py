"""The first page: what this is, the two commands, a real answer from a terminal, where to go."""

from __future__ import annotations

from docs.graph import Layout
from docs.markup import attribute, box, page, status_mark
from docs.pages.map import legend, the_map
from docs.site import Site

HERE = "index.md"

INTRODUCTION = """\
proofgrad proves the mathematics of policy optimisation step by step, for every number of states,
actions, tokens and samples, with a small kernel that trusts nothing else. It then reads *your* loss
and says what its gradient really follows."""


def home_page(site: Site, example: str, drawn: Layout) -> str:
    """One screen, then the map."""
    return page(
        "proofgrad",
        "Machine-checked derivations for policy optimisation, and checks of the losses that claim "
        "to implement it",
        "# proofgrad",
        INTRODUCTION,
        box("count", count(site)),
        "```sh\nmake prove                          # replay every proof\n"
        "proofgrad check my_losses.py        # check your own loss\n```",
        "Three lines of code estimate a divergence without bias. Used as a loss, the same three "
        "lines follow another divergence:",
        terminal(example),
        "[The theorem behind this answer](theorems/divergence_estimators/index.md) · "
        "[Check your loss](guides/check-your-loss.md) · "
        "[Write a derivation](guides/write-a-derivation.md) · [The map](map.md)",
        "## Chapters",
        chapters(site),
        "## The map",
        f"Each arrow leads from a lemma to a theorem that cites it. {legend(site)}",
        *the_map(site, drawn, HERE),
        hide=("navigation", "toc"),
    )


def count(site: Site) -> str:
    """How many theorems are proved; red as soon as one is not."""
    proved, total = site.count("proved"), len(site.records)
    all_fine = "proved" if proved == total else "refused"
    said = f'<span class="status {all_fine}">{proved} of {total} theorems proved</span>'
    axioms = f"from {len(site.axioms())} [axioms](rules.md#axioms)"
    others = [r for r in site.records if r.status != "proved"]
    failing = "; ".join(f"{status_mark(r.status)} {_link(r.id, r.name)}" for r in others)
    return f"{said} {axioms}, replayed when this page was built." + (
        f"\n\nNot proved: {failing}." if failing else ""
    )


def _link(id: str, name: str) -> str:
    chapter = id.partition(".")[0]
    return f"[{name.replace('_', ' ')}](theorems/{chapter}/{name}.md)"


def terminal(text: str) -> str:
    """What a terminal showed, word for word."""
    return f'<pre class="terminal" tabindex="0">{attribute(text.rstrip())}</pre>'


def chapters(site: Site) -> str:
    """One line a chapter, with what is proved in it."""
    rows = []
    for chapter, records in site.chapters.items():
        proved = sum(r.status == "proved" for r in records)
        mark = status_mark("proved" if proved == len(records) else "refused")
        title = chapter.replace("_", " ")
        rows.append(f"- [{title}](theorems/{chapter}/index.md): {proved} of {len(records)} {mark}")
    return "\n".join(rows)
