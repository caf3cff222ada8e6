"""The command line: every command's own help, word for word, with its exit statuses."""

from __future__ import annotations

from typing import Any

from docs.markup import attribute, page

WIDTH = 88
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
    blocks = []
    for name, command in group.commands.items():
        context = command.make_context(
            f"proofgrad {name}", [], resilient_parsing=True, max_content_width=WIDTH
        )
        context.terminal_width = WIDTH
        help_ = command.get_help(context)
        blocks += [f"## {name}", f'<pre class="terminal" tabindex="0">{attribute(help_)}</pre>']
    return page(
        "Command line",
        "Every command of proofgrad, its options and exit statuses",
        "# Command line",
        STATUS,
        *blocks,
    )
