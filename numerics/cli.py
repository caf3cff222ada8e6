"""The command `proofgrad`.  Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from numerics.commands import (
    check,
    descend,
    graph,
    identify,
    list_theorems,
    prove,
    regions,
    replay,
    show,
    site,
)

CLOSED_PIPE = 141  # what a shell reports for a program that SIGPIPE ends

# Typer's own help through rich costs 0.15 s at every start; its plain help is as readable.
app = typer.Typer(
    name="proofgrad",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Proofs of policy optimisation, and checks of the losses that claim to implement it. "
    "Exit status: 0 all pass, 1 something is false, 2 unusable input, 3 inconclusive or not run.",
)


def _quiet(command: Callable[..., None]) -> Callable[..., None]:
    """A reader that goes away (| head) ends the command without a word."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            try:
                command(*args, **kwargs)
            finally:  # commands end by typer.Exit
                sys.stdout.flush()
        except BrokenPipeError:
            _forget_output()
            raise typer.Exit(CLOSED_PIPE) from None

    return run


def _forget_output() -> None:
    """Let Python's last flush at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


for _name, _command in {
    "prove": prove.command,
    "show": show.command,
    "list": list_theorems.command,
    "graph": graph.command,
    "replay": replay.command,
    "check": check.command,
    "descend": descend.command,
    "site": site.command,
    "identify": identify.command,
    "regions": regions.command,
}.items():
    app.command(_name)(_quiet(_command))


def main() -> None:
    """The console script."""
    # Torch's threads sleep while they wait, if torch is loaded: on a busy machine spinning costs a
    # large check three times its time.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a letter is no failure
            stream.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue]
    app()
