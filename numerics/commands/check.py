"""`proofgrad check`: every property of a loss's family, and the specification that it claims."""

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from numerics.commands import options
from numerics.errors import UnusableInput


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
    seed: int = 0,
    only: Sequence[str] = (),
    inputs: str | None = None,
    as_json: bool = False,
) -> int:
    """Check every objective of a target and print the reports; the exit status is 0, 1, 2 or 3."""
    try:
        return _run(
            target,
            options.declared(
                arg=arg,
                constant=constant,
                option=option,
                returns=returns,
                like=like,
                family=family,
                setup=setup,
            ),
            seed,
            tuple(only),
            inputs,
            as_json,
        )
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE


def _run(
    target: str, declared: dict, seed: int, only: tuple[str, ...], inputs: str | None, as_json: bool
) -> int:
    from rich.console import Console

    from numerics.check import check, report
    from numerics.check.load import load

    statuses = {"pass": options.PASS, "fail": options.FAIL, "inconclusive": options.INCONCLUSIVE}
    batch = options.batch(inputs) if inputs else None
    found = [check(entry, seed=seed, only=only, inputs=batch) for entry in load(target, declared)]
    if as_json:
        print(json.dumps(report.as_json(found), indent=2))
    else:
        for entry in found:
            report.print_report(entry, Console(soft_wrap=True, highlight=False))
    return options.worst(statuses[entry.verdict] for entry in found)


def command(
    target: options.Target,
    arg: options.Arg = None,
    constant: options.Constant = None,
    option: options.Option = None,
    returns: options.Returns = None,
    like: options.Like = None,
    family: options.FamilyName = None,
    setup: options.Setup = None,
    seed: Annotated[int, typer.Option("--seed", help="first seed of the samples")] = 0,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="judge only this property")
    ] = None,
    inputs: Annotated[
        str | None, typer.Option("--inputs", help="a batch of your own, written by torch.save")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Check a loss: its gradient, its masked tokens, what it freezes, and the specification it
    claims.
    """
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
            seed=seed,
            only=only or (),
            inputs=inputs,
            as_json=as_json,
        )
    )
