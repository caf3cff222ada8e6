"""The command line: every command's own help, word for word, with its exit statuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docs.markup import attribute, in_code, page, plain

STATUS = """\
| exit status | meaning |
| --- | --- |
| 0 | everything passes |
| 1 | something is false |
| 2 | unusable input |
| 3 | inconclusive, or not run |

Of several results the worst counts, in the order 2, 1, 3, 0. `--json` prints one object whose keys
are stable."""


def commands_page() -> str:
    """One section a command."""
    import typer.main

    from numerics.cli import app

    group: Any = typer.main.get_command(app)
    blocks = [b for name, command in group.commands.items() for b in _command(name, command)]
    return page(
        "Command line",
        "Every command of proofgrad, its options and exit statuses",
        "# Command line",
        STATUS,
        *blocks,
    )


def _command(name: str, command: Any) -> Iterator[str]:
    """A command's usage, what it does, its arguments and options."""
    context = command.make_context(f"proofgrad {name}", [], resilient_parsing=True)
    usage = " ".join(["proofgrad", name, *command.collect_usage_pieces(context)])
    yield f"## {name}"
    yield f'<pre class="terminal" tabindex="0">{attribute(usage)}</pre>'
    yield plain(" ".join((command.help or "").split()))
    records = (_record(p, context) for p in command.get_params(context))
    rows = [f"<div><dt>{in_code(n)}</dt><dd>{plain(said)}</dd></div>" for n, said in records]
    yield f'<dl class="fields">{"".join(rows)}</dl>'


def _record(parameter: Any, context: Any) -> tuple[str, str]:
    """An option or an argument as the help has it: its names and its meaning."""
    found = parameter.get_help_record(context)
    return found if found else (parameter.make_metavar(context), parameter.help or "")
