"""`proofgrad descend`: which known gradients the expected gradient of a loss is made of."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check.descent import Decomposition

LENGTHS = (1, 2)


def run(
    target: str,
    *,
    arg: Sequence[str] = (),
    constant: Sequence[str] = (),
    option: Sequence[str] = (),
    returns: str | None = None,
    like: str | None = None,
    family: str | None = None,
    setup: str | None = None,
    length: int | None = None,
    sampling: str = "on-policy",
    as_json: bool = False,
) -> int:
    """Resolve every objective of a target, at one length or at both, and print the answers.

    Exit status 0: all resolved; 1: an answer contradicts its claim; 2: unusable; 3: not resolved.
    """
    try:
        declared = options.declared(
            arg=arg,
            constant=constant,
            option=option,
            returns=returns,
            like=like,
            family=family,
            setup=setup,
        )
        found = _answers(target, declared, LENGTHS if length is None else (length,), sampling)
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE
    if as_json:
        print(json.dumps({"objectives": [_as_json(answer) for answer in found]}, indent=2))
    else:
        _print(found)
    return options.worst(_status(answer) for answer in found)


def _answers(
    target: str, declared: dict[str, Any], lengths: tuple[int, ...], sampling: str
) -> list["Decomposition"]:
    from numerics.check.descent import descend
    from numerics.check.load import load

    loaded = load(target, declared)
    return [descend(entry, length=n, sampling=sampling) for entry in loaded for n in lengths]


def _status(answer: "Decomposition") -> int:
    if answer.warning:
        return options.FAIL
    return options.PASS if answer.resolved else options.INCONCLUSIVE


def _as_json(answer: "Decomposition") -> dict[str, Any]:
    return {
        "objective": answer.objective,
        "sampling": answer.sampling,
        "length": answer.length,
        "terms": [{"gradient": t.gradient, "coefficient": t.coefficient} for t in answer.terms],
        "residual": answer.residual,
        "resolved": answer.resolved,
        "theorems": list(answer.theorems),
    }


def _print(found: list["Decomposition"]) -> None:
    from rich.console import Console
    from rich.markup import escape

    from numerics.check.descent import one_line

    console = Console(soft_wrap=True, highlight=False)
    for answer in found:
        console.print(
            f"[bold]{escape(answer.objective)}[/]  {answer.sampling}, length {answer.length}"
        )
        colour = "green" if answer.resolved else "yellow"
        console.print(f"  [{colour}]{escape(one_line(answer))}[/]")
        if answer.resolved:
            console.print(f"  [dim]residual {answer.residual:.1e}[/]")
        else:
            terms = ", ".join(f"{t.coefficient:.3g} {t.gradient}" for t in answer.terms)
            console.print(f"  [dim]closest, not an answer: {escape(terms)}[/]")
        for theorem in answer.theorems:
            console.print(f"  explained by {theorem}")
        for note in answer.notes:
            console.print(f"  [dim]{escape(note)}[/]")
        if answer.warning:
            console.print(f"  [red]WARNING[/] {escape(answer.warning)}")


def command(
    target: options.Target,
    arg: options.Arg = None,
    constant: options.Constant = None,
    option: options.Option = None,
    returns: options.Returns = None,
    like: options.Like = None,
    family: options.FamilyName = None,
    setup: options.Setup = None,
    length: Annotated[
        int | None, typer.Option("--length", help="longest response, 1 or 2; both if not given")
    ] = None,
    sampling: Annotated[
        str, typer.Option("--sampling", help="on-policy or off-policy")
    ] = "on-policy",
    as_json: options.Json = False,
) -> None:
    """Say what a loss follows: its expected gradient as a combination of known gradients."""
    raise typer.Exit(
        run(
            target,
            arg=arg or (),
            constant=constant or (),
            option=option or (),
            returns=returns,
            like=like,
            family=family,
            setup=setup,
            length=length,
            sampling=sampling,
            as_json=as_json,
        )
    )
