"""`proofgrad list`: the catalogue, one line a theorem."""

import sys
from typing import Annotated

import typer

from numerics.commands.options import UNUSABLE

Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME|FILE[:NAME]", help="theorems; all if none is named"),
]


def command(targets: Targets = None) -> None:
    """List the theorems of the catalogue, or of a FILE: id and first sentence."""
    from derivations.library import Unusable
    from numerics.commands.prove import selected

    try:
        theorems = selected(targets or [])
    except Unusable as error:
        print(f"unusable input: {error}", file=sys.stderr)
        raise typer.Exit(UNUSABLE) from None
    width = max((len(t.name) for t in theorems), default=0)
    for t in theorems:
        print(f"{t.name:<{width}}  {t.doc.partition(chr(10))[0]}".rstrip())
