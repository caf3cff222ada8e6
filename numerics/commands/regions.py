"""`proofgrad regions`: the case table of a specification in (rho, A), as a paper would print it."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check.regions import Region, Regions

WIDE = 200  # columns: a row of a table is one line, as the formulas need it


def run(
    target: str,
    *,
    option: Sequence[str] = (),
    like: str | None = None,
    plot: str | None = None,
    as_json: bool = False,
) -> int:
    """Print the table of every objective of a target, and draw it; the exit status is 0 or 2.

    What was decided is a fact about the specification and no verdict on it.
    """
    try:
        from numerics.check.load import load
        from numerics.check.regions import regions

        declared = options.declared(option=option, like=like)
        found = [regions(entry) for entry in load(target, declared)]
        if plot is not None:
            _draw(found, Path(plot))
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
                "rho": _interval(r, str),
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
        "notes": list(entry.notes),
    }


def _draw(found: Sequence["Regions"], path: Path) -> None:
    """Write the figure of one objective."""
    from numerics.check.regions_plot import figure

    if len(found) != 1:
        names = ", ".join(entry.name for entry in found)
        hint = "name one: FILE.py:NAME"
        raise UnusableInput("a plot shows one objective", got=names, hint=hint)
    if path.suffix != ".svg":
        raise UnusableInput("a plot is an SVG file", expected="a name in .svg", got=str(path))
    try:
        path.write_text(figure(found[0]), encoding="utf-8")
    except OSError as error:
        raise UnusableInput(f"cannot write the plot: {error.strerror}", got=str(path)) from error


def _print(entry: "Regions") -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(soft_wrap=True, highlight=False, width=WIDE)
    console.print(f"[bold]{escape(entry.name)}[/]  {escape(entry.text)}")
    console.print("  L = -(loss of a token), rho = exp(logp - logp_old)")
    for note in entry.notes:
        console.print(f"  {escape(note)}")
    table = Table("A", "rho", "L", "dL/drho", "dL/dlogp", "", box=None, padding=(0, 3, 0, 2))
    for r in entry.regions:
        cells = (_sign(r.sign), _interval(r, _shown), *map(_shown, (r.value, r.slope, r.weight)))
        table.add_row(*map(escape, cells), "flat" if r.flat else "")
    console.print(table)
    for k in entry.kinks:
        jump = f", L jumps by {_shown(k.jump)}" if k.jump != 0 else ""
        sides = f"{_shown(k.left)} | {_shown(k.right)}"
        console.print(f"  kink at rho = {_at(k.at)} ({_sign(k.sign)}): dL/dlogp {sides}{jump}")
    for d in entry.decided:
        told = {True: "[green]yes[/]", False: "[yellow]no[/]: ", None: "[yellow]not decided[/]: "}
        console.print(f"  {escape(d.statement)}: {told[d.holds]}{escape(d.witness)}")


def _sign(sign: int) -> str:
    return "A > 0" if sign > 0 else "A < 0"


def _interval(region: "Region", show: Callable[[Any], str]) -> str:
    low, high = show(region.low), show(region.high)
    if high == "oo":
        return "rho > 0" if low == "0" else f"rho > {low}"
    return f"{low} < rho < {high}"


def _shown(value: Any) -> str:
    """As a paper prints it: 1.28 A for 32*A/25; fractions without end stay fractions."""
    from sympy import Rational, sstr

    fractions = [r for r in value.atoms(Rational) if not r.is_Integer]
    text = sstr(value.xreplace({r: _decimal(r) for r in fractions}))
    return text.replace("**", "^").replace("*", " ")


def _decimal(fraction: Any) -> Any:
    """A name that reads as the decimal, where it ends; a number would be computed with."""
    from sympy import Symbol

    rest = fraction.q
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    size = Symbol(f"{abs(float(fraction)):.12g}")
    return fraction if rest > 1 else size if fraction > 0 else -size


def _at(bound: Any) -> str:
    """A ratio, with its decimals where it is written as an exponential."""
    return _shown(bound) if bound.is_rational else f"{_shown(bound)} = {float(bound):.4g}"


def command(
    target: options.Target,
    option: options.Option = None,
    like: options.Like = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE.svg", help="draw it, too")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show where a specification is flat and where it has kinks, for each sign of A, decided."""
    raise typer.Exit(run(target, option=option or (), like=like, plot=plot, as_json=as_json))
