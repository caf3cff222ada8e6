"""Every number of the lessons beside the one that the project computes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from docs.markup import anchor, box, page, plain, table

HEAD = ("number", "printed", "computed", "")


def numbers_page(numbers: Iterable[Mapping[str, Any]]) -> str:
    """One table a lesson."""
    numbers = sorted(numbers, key=lambda n: n["lesson"])
    agree = sum(n["holds"] for n in numbers)
    blocks = []
    for lesson, rows in groupby(numbers, key=lambda n: n["lesson"]):
        title = lesson.removeprefix("lesson-").replace("-", " ")
        blocks.append(f"## {plain(title[:1].upper() + title[1:])}")
        blocks.append(box("numbers", table(HEAD, [row(n) for n in rows])))
    mark = "proved" if agree == len(numbers) else "refused"
    return page(
        "Numbers",
        "Every printed number of the lessons, recomputed",
        "# Numbers",
        f'<span class="status {mark}">{agree} of {len(numbers)} reproduced</span> when this page '
        "was built, each by the project's own functions and within the last printed digit.",
        *blocks,
    )


def row(n: Mapping[str, Any]) -> tuple[str, ...]:
    """One number: what it is, printed, computed, and whether they agree."""
    what = f'<span id="{anchor(n["id"])}">{cell(n["what"])}</span>'
    note = f'<br><span class="name">{cell(n["note"])}</span>' if n["note"] else ""
    mark = "proved" if n["holds"] else "refused"
    said = "agrees" if n["holds"] else "differs"
    return (
        what + note,
        value(n["printed"], n["tolerance"]),
        value(n["computed"], n["tolerance"]),
        f'<span class="status {mark}">{said}</span>',
    )


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return plain(text)


def value(x: Any, tolerance: float | None) -> str:
    """A value with two digits more than the tolerance asks for."""
    if x is None:
        return "as worded"
    if isinstance(x, str):
        return cell(x)
    if isinstance(x, (list, tuple)):
        return ", ".join(value(y, tolerance) for y in x)
    digits = 4 if not tolerance else max(0, min(8, len(f"{tolerance:.12f}".rstrip("0")) - 2))
    return f"{x:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{x:.0f}"
