"""Notebooks as Python files: cells in jupytext's percent format.

    # %% [markdown]         a cell of text, each line after "# "
    # %% tags=["check"]     a cell of code with tags

Tags used here: "exercise" (what the reader fills in), "solution" (folded), "check".

Source: the documentation of jupytext (percent format) and of nbformat.
Shapes: text in, a tuple of cells out.
Sign: none.
Units: none.
Gradient: none.
Raises: UnusableInput for tags that are no list of strings.

>>> [cell.kind for cell in cells("# %% [markdown]\\n# Title\\n# %%\\nx = 1\\n")]
['markdown', 'code']
>>> cells('# %% tags=["check"]\\nx = 1')[0].tags
('check',)
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from numerics.errors import UnusableInput

MARKER = re.compile(r"^# %%(?P<rest>.*)$")
TAGS = re.compile(r"tags=(\[[^\]]*\])")


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook.

    kind    "markdown" or "code"
    tags    its tags
    source  its text, without the comment signs
    line    where it begins
    """

    kind: str
    tags: tuple[str, ...]
    source: str
    line: int


def cells(text: str) -> tuple[Cell, ...]:
    """The cells of a notebook, the header above the first marker left out."""
    lines = text.splitlines()
    starts = [n for n, line in enumerate(lines) if MARKER.match(line)]
    ends = [*starts[1:], len(lines)]
    return tuple(
        _cell(lines[a], lines[a + 1 : b], a + 1) for a, b in zip(starts, ends, strict=True)
    )


def _cell(marker: str, body: list[str], line: int) -> Cell:
    found = MARKER.match(marker)
    rest = found.group("rest") if found else ""
    if "[markdown]" in rest:
        body = [re.sub(r"^# ?", "", text) for text in body]
        return Cell("markdown", _tags(rest), "\n".join(body).strip(), line)
    return Cell("code", _tags(rest), "\n".join(body).strip(), line)


def as_ipynb(found: tuple[Cell, ...]) -> dict[str, Any]:
    """The cells as a Jupyter notebook (nbformat 4.5), a dictionary for JSON; a solution's code is
    folded. The ids are counted, so that the same cells give the same bytes.
    """
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"language_info": {"name": "python"}},
        "cells": [_for_jupyter(cell, n) for n, cell in enumerate(found)],
    }


def _for_jupyter(cell: Cell, n: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {"tags": list(cell.tags)} if cell.tags else {}
    made = {"id": f"cell-{n}", "cell_type": cell.kind, "metadata": metadata, "source": cell.source}
    if cell.kind == "markdown":
        return made
    if "solution" in cell.tags:
        metadata["jupyter"] = {"source_hidden": True}
    return {**made, "execution_count": None, "outputs": []}


def _tags(rest: str) -> tuple[str, ...]:
    found = TAGS.search(rest)
    if not found:
        return ()
    try:
        tags = json.loads(found.group(1))
    except json.JSONDecodeError:
        tags = [None]
    strings = tuple(tag for tag in tags if isinstance(tag, str))
    if len(strings) != len(tags):
        raise UnusableInput("a cell's tags", expected='tags=["name", ...]', got=found.group(1))
    return strings
