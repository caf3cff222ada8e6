"""A progress bar for long trainings, drawn only for a person who is waiting.

    for step in steps(1000, "training"): ...

Source: rich.progress.
Shapes: yields 0, 1, ..., count - 1.
Sign: none.
Units: steps.
Gradient: none.
Raises: nothing of its own.

>>> list(steps(3, "counting"))
[0, 1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE = 200  # fewer steps than this are over before a bar could be read


def steps(count: int, label: str, console: Console | None = None) -> Iterator[int]:
    """range(count); with a bar when the loop is long and the console (stderr) is a terminal."""
    from rich import console as consoles
    from rich.progress import track

    console = console or consoles.Console(stderr=True)
    if count < PATIENCE or not console.is_terminal:
        yield from range(count)
    else:
        yield from track(range(count), label, console=console, transient=True)
