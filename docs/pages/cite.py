"""How to cite the project and a single theorem."""

from __future__ import annotations

from docs.markup import page
from docs.site import Site


def cite_page(site: Site) -> str:
    """Version, commit, and a BibTeX entry."""
    v = site.release
    entry = f"""```bibtex
@software{{proofgrad,
  title   = {{proofgrad: machine-checked derivations for policy optimisation}},
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
        "To cite a theorem, add its full name, as it stands at the foot of its page, for example "
        "`decision_processes.performance_difference`. The address of a theorem's page does not "
        "change; when a theorem is renamed, the old address leads to the new page. The "
        "certificate on the page can be replayed without this project's proofs, so a citation can "
        "be checked by itself.",
    )
