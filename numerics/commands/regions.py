"""`proofgrad regions`: the case table of a specification in (rho, A), as a paper would print it."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check.regions import Region, Regions


def run(
    target: str,
    *,
    option: Sequence[str] = (),
    like: str | None = None,
    as_json: bool = False,
) -> int:
    """Print the table of every objective of a target; the exit status is 0 or 2.

    What was decided is a fact about the specification and no verdict on it.
    """
    try:
        from numerics.check.load import load
        from numerics.check.regions import regions

        declared = options.declared(option=option, like=like)
        found = [regions(entry) for entry in load(target, declared)]
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE
    if as_json:
        print(json.dumps({"objectives": [_as_json(entry) for entry in found]}, indent=2))
    else:
        for entry in found:
            _print(entry)
    return options.PASS


def _as_json(entry: "Regions") -> dict[str, Any]:
    return {
        "objective": entry.name,
        "specification": entry.text,
        "regions": [
            {
                "A": _sign(r.sign),
                "rho": _interval(r),
                "L": str(r.value),
                "dL/drho": str(r.slope),
                "dL/dlogp": str(r.weight),
                "flat": r.flat,
            }
            for r in entry.regions
        ],
        "kinks": [
            {"A": _sign(k.sign), "rho": str(k.at), "left": str(k.left), "right": str(k.right)}
            for k in entry.kinks
        ],
        "decided": [
            {"statement": d.statement, "holds": d.holds, "witness": d.witness}
            for d in entry.decided
        ],
    }


def _print(entry: "Regions") -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(soft_wrap=True, highlight=False)
    console.print(f"[bold]{escape(entry.name)}[/]  {escape(entry.text)}")
    console.print("  L = -(loss of a token), rho = exp(logp - logp_old)")
    table = Table("A", "rho", "L", "dL/drho", "dL/dlogp", "", box=None, padding=(0, 3, 0, 2))
    for r in entry.regions:
        cells = (_sign(r.sign), _interval(r), r.value, r.slope, r.weight)
        table.add_row(*(escape(str(c)) for c in cells), "flat" if r.flat else "")
    console.print(table)
    for k in entry.kinks:
        jump = f", L jumps by {k.jump}" if k.jump != 0 else ""
        console.print(
            f"  kink at rho = {k.at} ({_sign(k.sign)}): dL/dlogp {k.left} | {k.right}{jump}"
        )
    for d in entry.decided:
        told = "[green]yes[/]" if d.holds else f"[yellow]no[/]: {escape(d.witness)}"
        console.print(f"  {escape(d.statement)}: {told}")


def _sign(sign: int) -> str:
    return "A > 0" if sign > 0 else "A < 0"


def _interval(region: "Region") -> str:
    if str(region.high) == "oo":
        return "rho > 0" if region.low == 0 else f"rho > {region.low}"
    return f"{region.low} < rho < {region.high}"


def command(
    target: options.Target,
    option: options.Option = None,
    like: options.Like = None,
    as_json: options.Json = False,
) -> None:
    """Show where a specification is flat and where it has kinks, for each sign of A, decided."""
    raise typer.Exit(run(target, option=option or (), like=like, as_json=as_json))
