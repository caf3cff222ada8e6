"""Loose sentences made precise, each beside the theorem that settles it, or "not proved yet"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docs.markup import box, page, plain, sentence, status_mark
from docs.site import Site, link, path_of

HERE = "claims.md"


def claims_page(claims: Iterable[Mapping[str, Any]], site: Site) -> str:
    """All claims; whether a theorem is proved is looked up, never written down."""
    blocks = [box("claim", claim(c, site), f"claim-{c['number']}") for c in claims]
    return page(
        "Claims",
        "Common sentences that hold only under conditions, made precise",
        "# Claims",
        "Sentences that are often said and hold only under conditions. Each stands beside its "
        "precise version, the theorem that settles it, and the smallest example, computed when "
        "this page was built.",
        *blocks,
    )


def claim(c: Mapping[str, Any], site: Site) -> str:
    """One claim."""
    wrong = "" if c["holds"] else ' <span class="status refused">does not show it</span>'
    names = [n for n in (c["theorem"], *c["also"]) if n]
    return "\n\n".join(
        [
            f"## {c['number']}. {plain(c['claim'])} {{#claim-{c['number']}-said}}",
            f"**More precisely.** {plain(c['precise'])}",
            f"**Example.** {plain(c['example'])}{wrong}",
            settled_by(names, site),
        ]
    )


def settled_by(names: Iterable[str], site: Site) -> str:
    """The theorems, each with its status in this build."""
    found = []
    for name in names:
        r = site.by_id.get(name)
        if r is None:
            title = plain(sentence(name.rpartition(".")[2]))
            found.append(f'{title} <span class="status gap">not proved yet</span>')
        else:
            title = f"[{sentence(r.name)}]({link(HERE, path_of(r.id))})"
            found.append(f"{title} {status_mark(r.status)}")
    if not found:
        return "**Settled by** the example: no statement for all sizes is needed."
    return "**Settled by** " + "; ".join(found) + "."
