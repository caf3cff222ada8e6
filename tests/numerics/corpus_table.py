"""The table of public mistakes: caught, missed, out of reach.

`python -m tests.numerics.corpus_table` writes tests/data/corpus.md; a test keeps it true.
"""

import json
from pathlib import Path
from typing import Any

from numerics import check, objective
from numerics.check import Report
from tests.numerics.corpus import Case, cases
from tests.numerics.corpus.out_of_reach import REASONS

DATA = Path(__file__).parents[1] / "data"
TABLE = DATA / "corpus.md"


def public() -> list[dict[str, Any]]:
    """The public cases in the order of their file."""
    return [json.loads(line) for line in (DATA / "public.jsonl").read_text().splitlines()]


def judged(case: Case, which: str, only: tuple[str, ...] = ()) -> Report:
    """The report of the wrong or the right implementation: no specification."""
    return check(objective(getattr(case, which), **case.declared), only=only)


def failed(report: Report) -> set[str]:
    return {finding.property for finding in report.findings if finding.verdict == "fail"}


def outcome(entry: dict[str, Any]) -> tuple[str, str]:
    """caught, missed, out of reach (with what did it), or for controls passed and flagged."""
    name, known = entry["id"], cases()
    if name not in known:
        return "out of reach", REASONS[name]
    case = known[name]
    right, wrong = failed(judged(case, "right")), failed(judged(case, "wrong"))
    if name.startswith("control-"):
        return ("flagged", ", ".join(wrong | right)) if wrong | right else ("passed", "")
    if right or case.property not in wrong:
        return "missed", f"right: {sorted(right)}, wrong: {sorted(wrong)}"
    claims = ", ".join(case.declared.get("claims", ()))
    return "caught", f"`{case.property}`" + (f" under the claim {claims}" if claims else "")


def table() -> str:
    """The whole page."""
    rows = [(entry["id"], *outcome(entry)) for entry in public()]
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
