"""Rules and axioms: what a proof may use, and what "proved" means and does not mean."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from sympy import Integer

from derivations.kernel import axioms, rules
from derivations.kernel import terms as K
from derivations.kernel.terms import Refused
from derivations.language.printing import latex
from docs.markup import anchor, attribute, box, display, page, plain, sentence
from docs.site import Site, link, path_of

HERE = "rules.md"
MEANING = """\
A green *proved* means: when this page was built, the kernel recomputed every step of the theorem's
certificate, and the last steps are exactly the statement shown, under exactly the hypotheses shown.
It rests on the rules and on the axioms listed here, on the 1,200 lines of the kernel, on sums,
products and natural powers in SymPy, and on Python.

It does not mean that the statement is the one you need, that its hypotheses hold for your model, or
that your code computes it. The first two are for you to read; for the third there is
[Check your loss](guides/check-your-loss.md). Real numbers are meant throughout, not floating-point
ones: the cross-check on each page looks at those. $1/0$ denotes $0$, and $\\log$ of anything that
is not positive denotes a number about which nothing is known."""
FILTERS = {
    "n \\to \\infty": K.Infinity(),
    "v \\to c": K.Near(axioms.c),
    "v \\to 0^{+}": K.Right(),
}


def rules_page(site: Site) -> str:
    """All rules, then all axioms with the theorems that rest on them."""
    return page(
        "Rules and axioms",
        "Every rule and every axiom of the kernel, and what a proof means",
        "# Rules and axioms",
        "## What a green mark means",
        MEANING,
        "## Rules",
        "Premises stand above the bar, the conclusion below. $\\Gamma \\vdash p$ is written "
        "`G |- p`: under the hypotheses G, p.",
        *[block for name, rule in primitive_rules().items() for block in rule_blocks(name, rule)],
        "## Axioms",
        "Analytic facts that are accepted without proof, each with its source. A law of limits is "
        "one axiom for three kinds of limit.",
        *[block for name in axioms.names() for block in axiom_blocks(name, site)],
        hide=("navigation",),
    )


def primitive_rules() -> dict[str, Callable[..., Any]]:
    """The public functions of the kernel's rules, in the order of the file."""
    return {
        name: f
        for name, f in vars(rules).items()
        if inspect.isfunction(f) and f.__module__ == rules.__name__ and name[0] != "_"
    }


def rule_blocks(name: str, rule: Callable[..., Any]) -> Iterator[str]:
    """A rule's name, its figure and its side conditions, from its docstring."""
    yield f"### {sentence(name)} {{#{anchor('rule ' + name)}}}"
    yield box("rule", figure(" ".join((inspect.getdoc(rule) or "").split("\n"))))


def figure(doc: str) -> str:
    """An inference figure: premises over conclusion; what follows a comma or "when" below it."""
    doc = " ".join(doc.split())
    parts = re.split(r" gives? ", doc, maxsplit=1)
    if len(parts) == 1:
        parts = ["", *re.split(r"(?<=\S), when ", doc, maxsplit=1)]
        above, below, side = "", parts[1], "when " + parts[2] if len(parts) > 2 else ""
    else:
        above, rest = parts
        below, comma, side = _split(rest)
        side = side if comma else ""
    bar = f'<span class="above">{attribute(above) or "&nbsp;"}</span>'
    bar += f'<span class="below">{attribute(below.strip(" ."))}</span>'
    said = f"\n\n{plain(sentence_of(side))}" if side else ""
    return f'<p class="figure" tabindex="0">{bar}</p>{said}'


def _split(rest: str) -> tuple[str, str, str]:
    """The conclusion and its side conditions."""
    found = re.search(r"(, when |, n not |, w, x not |: m |, R is |\. For |; )", rest)
    if found is None:
        return rest, "", ""
    return rest[: found.start()], ",", rest[found.start() :].lstrip(",.:; ")


def sentence_of(side: str) -> str:
    """The side conditions as a sentence."""
    side = side.strip()
    return side[:1].upper() + side[1:]


def axiom_blocks(name: str, site: Site) -> Iterator[str]:
    """An axiom: in words, with its source; the kernel's own formula; what rests on it."""
    yield f"### {sentence(name)} {{#{anchor('axiom ' + name)}}}"
    law = getattr(axioms, name)
    yield plain(" ".join((law.__doc__ or "").split()))
    for kind, formula in formulas_of(name):
        yield box("part", (f"for ${kind}$:\n\n" if kind else "") + display(latex(formula)))
    users = [r for r in site.records if name in r.axioms]
    links = ", ".join(f"[{sentence(r.name).lower()}]({link(HERE, path_of(r.id))})" for r in users)
    used = f"<summary>{len(users)} theorems rest on it</summary>\n\n{links}"
    if users:
        yield f"<details markdown>\n{used}\n\n</details>"
    else:
        yield "No theorem rests on it yet."


def formulas_of(name: str) -> Iterator[tuple[str, Any]]:
    """The axiom's formula, one for each kind of limit that it has; Taylor's at order two."""
    law = getattr(axioms, name)
    if not inspect.signature(law).parameters:
        yield "", axioms.formula(name)
        return
    if "order" in inspect.signature(law).parameters:
        yield "m = 2", axioms.formula(name, Integer(2))
        return
    for kind, about in FILTERS.items():
        try:
            yield kind, axioms.formula(name, about)
        except Refused:
            continue  # this law has no such limit
