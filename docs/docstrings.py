"""Docstrings as the API pages show them: a Griffe extension keeps Markdown away from their formulas
and typesets what they define.

Below a symbol stands what its example prints, its instance (`docs.instances`) or, for an axiom, the
kernel's own formula: always printed from the object, never typed.
"""

from __future__ import annotations

import doctest
import importlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import griffe  # pyright: ignore[reportMissingImports]

from derivations.kernel import axioms
from derivations.language.printing import latex
from derivations.library import catalogue
from docs.instances import instance
from docs.markup import display, in_code, paragraphs
from docs.pages.rules import figure, formulas_of
from docs.reference import IMMEDIATE
from docs.site import address_of, path_of

OBJECTIVES = "numerics.objectives."
AXIOMS = "derivations.kernel.axioms."
RULES = "derivations.kernel.rules."
PRINTS = "print(text("
CITED = re.compile(r"<dt>Theorems?</dt><dd>.*?</dd>")
CODE = re.compile(r"<code>((?:[a-z0-9]|&#95;)+)</code>")  # a name, as `plain` writes it


class PlainDocstrings(griffe.Extension):
    """Rewrites each docstring once, when its object has been read."""

    def on_instance(self, *, obj: Any, **kwargs: Any) -> None:
        """Called by Griffe for every module, class, function and attribute."""
        if obj.docstring is not None:
            doc = obj.docstring.value
            shown = figure(doc) if obj.path.startswith(RULES) else paragraphs(doc)
            blocks = [*above(obj.path), shown, *typeset(obj.path, doc)]
            obj.docstring.value = CODE.sub(linked, CITED.sub(told, "\n\n".join(blocks)))


def told(cited: re.Match[str]) -> str:
    """The theorems that a docstring names; one that is not in the catalogue is said to be open."""
    mark = ' <span class="status gap">not proved yet</span>'
    known = lambda name: name[1].replace("&#95;", "_") in theorems()  # noqa: E731
    return CODE.sub(lambda name: name[0] + ("" if known(name) else mark), cited[0])


def linked(name: re.Match[str]) -> str:
    """The name of a theorem leads to its page; every API page is at api/page/."""
    known = theorems().get(name[1].replace("&#95;", "_"))
    if known is None:
        return name[0]
    return f'<a href="../../{address_of(path_of(known))}">{name[0]}</a>'


@cache
def theorems() -> dict[str, str]:
    """The full ids of the theorems by their names."""
    return {t.name.rpartition(".")[2]: t.name for t in catalogue()}


def above(full: str) -> Iterator[str]:
    """Of a reference objective, what its module says, and its specification."""
    module, _, name = full.rpartition(".")
    if module.startswith(OBJECTIVES) and module.endswith(f".{name}"):
        yield paragraphs(importlib.import_module(module).__doc__ or "")
        yield from specification(name)


def specification(name: str) -> Iterator[str]:
    """The kernel's term of a reference objective, where it has one."""
    from numerics.objectives import reference

    known = reference(name)
    if known.specification is not None:
        term = known.specification()
        yield "Its specification, a kernel term:"
        for part in term.values() if isinstance(term, Mapping) else [term]:
            yield display(latex(part))


def typeset(full: str, doc: str) -> Iterator[str]:
    """What stands below a symbol's docstring: formulas in LaTeX."""
    shown = instance(full)
    if shown is not None:
        yield f"For example {in_code(shown[0])}:"
        yield from map(display, shown[1])
    elif full.startswith(AXIOMS):
        yield from axiom(full.removeprefix(AXIOMS))
    elif PRINTS in doc:
        yield from map(display, printed(full.rpartition(".")[0], doc))


def axiom(name: str) -> Iterator[str]:
    """The kernel's formula, for each kind of limit that the axiom has."""
    if name in IMMEDIATE:
        yield f"Source: {IMMEDIATE[name]}"
    for kind, formula in formulas_of(name) if name in axioms.names() else ():
        yield (f"For ${kind}$:\n\n" if kind else "") + display(latex(formula))


def printed(module: str, doc: str) -> list[str]:
    """What `print(text(...))` shows in a docstring's example, as LaTeX instead."""
    found: list[str] = []

    def record(x: Any) -> str:
        found.append(latex(x))
        return ""

    space = {**vars(importlib.import_module(module)), "print": lambda _: None}
    for example in doctest.DocTestParser().get_examples(doc):
        exec(compile(example.source, module, "exec"), space)
        space["text"] = record  # the example has just imported the other one
    return found
