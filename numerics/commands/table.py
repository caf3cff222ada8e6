"""The table of `proofgrad prove`: one column for the proof, one for the numbers."""

import math
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from numerics.proving import Outcome

WIDE = 150  # for a file or a pipe, which have no width
MARKS = {"proved": "[green]✓[/]", "refused": "[red]✗[/]", "gap": "[yellow]?[/]"}
COLOURS = {"pass": "green", "fail": "red"}


def show_outcomes(outcomes: "list[Outcome]", crosscheck: bool, seconds: float) -> None:
    """Table, refusals, and a summary."""
    entries = [o.entry for o in outcomes]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("theorem", overflow="fold")
    table.add_column("proved by replay", no_wrap=True)
    table.add_column("cross-check", no_wrap=True)
    for chapter, of_chapter in groupby(entries, key=lambda e: e["id"].rpartition(".")[0]):
        table.add_row("", f"[dim]{escape(chapter)}[/]")
        for e in of_chapter:
            name = escape(e["id"].rpartition(".")[2])
            mark = MARKS[e["status"]]
            table.add_row(mark, name, _proved(e), _checked(e))
    with console.capture() as page:  # printed at once, so that a closed pipe is noticed by us
        console.print(table)
        for o in outcomes:
            if o.message:
                numbers = o.entry["crosscheck"] or {}
                colour = "yellow" if numbers.get("verdict") == "inconclusive" else "red"
                console.print(f"\n[{colour}]{escape(o.message)}[/]", soft_wrap=True)
        console.print("\n" + _summary(entries, seconds), soft_wrap=True)
        console.print(_numbers(entries, crosscheck), soft_wrap=True)
    print(page.get(), end="")


def _proved(e: dict[str, Any]) -> str:
    if e["status"] == "refused":
        return f"[red]refused at step {e['refusal']['step']}[/]"
    size = "every size" if e["generic"] else "[yellow]fixed sizes[/]"
    gap = "[yellow]with gaps[/], " if e["status"] == "gap" else ""
    return f"{gap}{size}, {e['steps']} steps, {e['seconds']:.2f} s"


def _checked(e: dict[str, Any]) -> str:
    c = e["crosscheck"]
    if c is None:
        return "[dim]not run[/]"
    said = f"{c['verdict']}, {c['models']} models, worst {_residual(c)}"
    return f"[{COLOURS.get(c['verdict'], 'yellow')}]{said}[/]"


def _residual(c: dict[str, Any]) -> str:
    return "not finite" if c["worst_residual"] is None else f"{c['worst_residual']:.0e}"


def _summary(entries: list[dict[str, Any]], seconds: float) -> str:
    number = {s: sum(e["status"] == s for e in entries) for s in MARKS}
    axioms = {a for e in entries for a in e["axioms"]}
    parts = [f"{number['proved']} of {len(entries)} proved"]
    parts += [f"{n} {s}" for s, n in number.items() if n and s != "proved"]
    return f"{', '.join(parts)}; {len(axioms)} axioms used; {seconds:.1f} s"


def _numbers(entries: list[dict[str, Any]], crosscheck: bool) -> str:
    if not crosscheck:
        return "cross-check: not asked for (--no-crosscheck)"
    found = [e["crosscheck"] for e in entries if e["crosscheck"] is not None]
    if not found:
        from numerics.proving import has_torch

        why = "there was nothing to check" if has_torch() else "torch is not installed (make torch)"
        return f"cross-check: not run, {why}"
    number = {v: sum(c["verdict"] == v for c in found) for v in ("pass", "fail", "inconclusive")}
    said = ", ".join(f"{n} {v}" for v, n in number.items() if n)
    worst = max(
        found, key=lambda c: math.inf if c["worst_residual"] is None else c["worst_residual"]
    )
    models = sum(c["models"] for c in found)
    made, refuted = (sum(c[k] for c in found) for k in ("mutants", "refuted"))
    power = f"; {refuted} of {made} mutants refuted ({refuted / made:.1%})" if made else ""
    return f"cross-check: {said}; {models} models, worst residual {_residual(worst)}{power}"
