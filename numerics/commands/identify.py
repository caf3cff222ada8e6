"""`proofgrad identify`: which reference objective, with which options, a loss equals."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check.identify import Identification


def run(
    target: str,
    *,
    arg: Sequence[str] = (),
    constant: Sequence[str] = (),
    returns: str | None = None,
    family: str | None = None,
    setup: str | None = None,
    seed: int = 0,
    as_json: bool = False,
) -> int:
    """Identify every objective of a target; 0 when all are known, 2 unusable, 3 when one is not."""
    try:
        from numerics.check.identify import identify
        from numerics.check.load import load

        declared = options.declared(
            arg=arg, constant=constant, returns=returns, family=family, setup=setup
        )
        found = [identify(entry, seed=seed) for entry in load(target, declared)]
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE
    if as_json:
        print(json.dumps({"objectives": [_as_json(entry) for entry in found]}, indent=2))
    else:
        for entry in found:
            _print(entry)
    return options.worst(options.PASS if e.equal else options.INCONCLUSIVE for e in found)


def _as_json(entry: "Identification") -> dict[str, Any]:
    return {
        "objective": entry.objective,
        "equal": entry.equal,
        "closest": entry.closest.text,
        "reference": entry.closest.reference,
        "options": dict(entry.closest.options),
        "scale": entry.closest.scale,
        "misfit": entry.closest.misfit,
        "also": [candidate.text for candidate in entry.also],
        "difference": entry.difference,
        "tried": entry.tried,
    }


def _print(entry: "Identification") -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(soft_wrap=True, highlight=False)
    text = escape(entry.closest.text)
    if entry.equal:
        console.print(f"[bold]{escape(entry.objective)}[/] = [green]{text}[/]")
        console.print(f"  in {entry.compared}; {entry.tried} candidates tried")
        for candidate in entry.also:
            console.print(f"  [dim]also {escape(candidate.text)}[/]")
        return
    console.print(f"[bold]{escape(entry.objective)}[/] equals none of {entry.tried} candidates")
    what = "values" if entry.compared == "value" else "gradients"
    console.print(f"  closest: [yellow]{text}[/], {what} differ by {entry.closest.misfit:.1e}")
    console.print(f"  first difference: {escape(entry.difference)}")


def command(
    target: options.Target,
    arg: options.Arg = None,
    constant: options.Constant = None,
    returns: options.Returns = None,
    family: options.FamilyName = None,
    setup: options.Setup = None,
    seed: Annotated[int, typer.Option("--seed", help="first seed of the samples")] = 0,
    as_json: options.Json = False,
) -> None:
    """Name the known objective, with its options, that a loss equals in value and gradient."""
    raise typer.Exit(
        run(
            target,
            arg=arg or (),
            constant=constant or (),
            returns=returns,
            family=family,
            setup=setup,
            seed=seed,
            as_json=as_json,
        )
    )
