"""`proofgrad check`: every property of a loss's family, and the specification that it claims."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from numerics.commands import options
from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from numerics.check import Report, Watch
    from numerics.objective import Objective


def run(
    target: str,
    *,
    seed: int = 0,
    only: Sequence[str] = (),
    inputs: str | None = None,
    shape: Sequence[str] = (),
    device: str = "cpu",
    ranks: int = 0,
    accumulate: int = 0,
    as_json: bool = False,
    **declared: Any,
) -> int:
    """Check every objective of a target and print the reports; the exit status is 0, 1, 2 or 3.

    `declared` are the flags of `options.declared`.
    """
    try:
        keywords = options.declared(**declared)
        how: dict[str, Any] = {"seed": seed, "only": tuple(only), "accumulate": accumulate}
        how |= {"shapes": tuple(map(options.shape, shape)) or None}
        how |= {"inputs": options.batch(inputs) if inputs else None}
        how |= {"device": options.device(device) if device != "cpu" else device}
        found = _reports(target, keywords, how)
        if ranks:
            found = _with_ranks(target, keywords, found, ranks, seed)
    except UnusableInput as error:
        print(f"unusable input: {error}", file=sys.stderr)
        return options.UNUSABLE
    return _printed([report for _, report in found], as_json)


Found = list[tuple["Objective", "Report"]]


def _reports(target: str, keywords: dict[str, Any], how: dict[str, Any]) -> Found:
    from numerics.check import check
    from numerics.check.load import load

    loaded = load(target, keywords)
    with _progress() as shown:
        return [(entry, check(entry, watch=shown(entry.name), **how)) for entry in loaded]


@contextmanager
def _progress() -> Iterator[Any]:
    """A bar on a terminal's stderr: which loss, which property; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    silent = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=silent) as bar:
        task = bar.add_task("", total=None)

        def shown(name: str) -> "Watch":
            return lambda entry, done, total: bar.update(
                task, description=f"{name}: {entry}", completed=done, total=total
            )

        yield shown


def _with_ranks(
    target: str, keywords: dict[str, Any], found: Found, ranks: int, seed: int
) -> Found:
    """The reports with one more finding each, from real processes."""
    from dataclasses import replace

    from numerics.check.signature import map_arguments
    from numerics.check.subject import bind
    from numerics.check.workers import over_ranks

    subjects = [bind(entry, map_arguments(entry).family.shapes[0]) for entry, _ in found]
    more = over_ranks(target, keywords, subjects, ranks, seed=seed)
    return [
        (entry, replace(report, findings=(*report.findings, finding)))
        for (entry, report), finding in zip(found, more, strict=True)
    ]


def _printed(found: list["Report"], as_json: bool) -> int:
    from rich.console import Console

    from numerics.check import report

    statuses = {"pass": options.PASS, "fail": options.FAIL, "inconclusive": options.INCONCLUSIVE}
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
    claim: options.Claim = None,
    family: options.FamilyName = None,
    setup: options.Setup = None,
    denominator: options.Denominator = None,
    dtype: options.Dtype = None,
    device: options.Device = "cpu",
    seed: options.Seed = 0,
    shape: options.Shapes = None,
    only: options.Only = None,
    inputs: options.Batch = None,
    ranks: options.Ranks = 0,
    accumulate: options.Accumulate = 0,
    as_json: options.Json = False,
) -> None:
    """Check a loss: its gradient, its masked tokens, what it freezes, and the specification it
    claims.
    """
    given = dict(locals())
    raise typer.Exit(run(**{name: value for name, value in given.items() if value is not None}))
