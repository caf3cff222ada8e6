"""The table of public mistakes: caught, missed, out of reach.

`python -m tests.numerics.corpus_table` writes tests/data/corpus.md; a test keeps it true.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numerics import check, objective
from numerics.check import Report
from tests.numerics.corpus import Case, cases
from tests.numerics.corpus.out_of_reach import REASONS

DATA = Path(__file__).parents[1] / "data"
TABLE = DATA / "corpus.md"
_REPORTS: dict[tuple[Callable[..., Any], str, tuple[str, ...]], Report] = {}


@cache
def public() -> tuple[dict[str, Any], ...]:
    """The public cases in the order of their file."""
    return tuple(json.loads(line) for line in (DATA / "public.jsonl").read_text().splitlines())


def judged(case: Case, which: str, only: tuple[str, ...] = ()) -> Report:
    """The report of the wrong or the right implementation: no specification. Cases that share a
    function and what it declares share its report.
    """
    function = getattr(case, which)
    key = (function, repr(sorted(case.declared.items())), only)
    if key not in _REPORTS:
        _REPORTS[key] = check(objective(function, **case.declared), only=only)
    return _REPORTS[key]


def failed(report: Report) -> set[str]:
    return {finding.property for finding in report.findings if finding.verdict == "fail"}


@cache
def outcome(name: str) -> tuple[str, str]:
    """caught, missed, out of reach (with what did it), or for controls passed and flagged.

    The right one is judged by everything that its family has, the wrong one by its property.
    """
    known = cases()
    if name not in known:
        return "out of reach", REASONS[name]
    case = known[name]
    right = judged(case, "right")
    if name.startswith("control-"):
        flagged = failed(judged(case, "wrong")) | failed(right)
        return ("flagged", ", ".join(sorted(flagged))) if flagged else ("passed", "")
    wrong = judged(case, "wrong", (case.property,))
    if right.verdict != "pass" or failed(wrong) != {case.property}:
        return "missed", f"right: {sorted(failed(right))}, wrong: {sorted(failed(wrong))}"
    claims = ", ".join(case.declared.get("claims", ()))
    return "caught", f"`{case.property}`" + (f" under the claim {claims}" if claims else "")


def table() -> str:
    """The whole page."""
    rows = [(entry["id"], *outcome(entry["id"])) for entry in public()]
    count = {word: sum(row[1] == word for row in rows) for word in ("caught", "passed")}
    controls = sum(name.startswith("control-") for name, _, _ in rows)
    head = [
        "# Public mistakes and what the checker says of them",
        "",
        "Written by `python -m tests.numerics.corpus_table`. Caught by properties alone, without",
        "`like=` or `spec=`; out of reach counts as missed.",
        "",
        f"{count['caught']} of {len(rows) - controls} mistakes caught; "
        f"{count['passed']} of {controls} controls passed.",
        "",
        "| case | outcome | by, or why not |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *(f"| {a} | {b} | {c} |" for a, b, c in rows), ""])


if __name__ == "__main__":
    TABLE.write_text(table())
