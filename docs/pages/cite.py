"""How to cite the project and a single theorem."""

from __future__ import annotations

from docs.markup import page
from docs.site import Site, address_of, href


def cite_page(site: Site) -> str:
    """Version, commit, and a BibTeX entry."""
    v = site.release
    entry = f"""```bibtex
@software{{proofgrad,
  title   = {{proofgrad: machine-checked derivations
             for policy optimisation}},
  version = {{{v.version}}},
  date    = {{{v.date}}},
  note    = {{commit {v.commit}}}
}}
```"""
    return page(
        "Cite",
        "How to cite proofgrad and a theorem of it",
        "# Cite",
        f"This is version {v.version}, built from commit `{v.commit}` of {v.date}.",
        entry,
        "## A theorem",
        "To cite a theorem, add its full name, as it stands at the foot of its page, for example "
        "`decision_processes.performance_difference`. The address of a theorem's page does not "
        "change; when a theorem is renamed, the old address leads to the new page. The "
        "certificate on the page can be replayed without this project's proofs, so a citation can "
        "be checked by itself.",
        "## Any other page",
        "The last line of every page gives the version, the commit, its date and the page's "
        "address, which does not change either.",
    )


def signed(path: str, text: str, site: Site) -> str:
    """A page with its version and how to cite it as its last line; data files stay as they are."""
    if not path.endswith(".md"):
        return text
    v, name = site.release, address_of(path).strip("/") or "home"
    line = f"proofgrad {v.version} (commit {v.commit}, {v.date}), {name}."
    how = f'<a href="{href(path, "cite.md")}">How to cite</a>'
    return f'{text}\n<p class="cite" data-search-exclude>{line} {how}</p>\n'
