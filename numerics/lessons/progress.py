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

from collections.abc import Iterator

PATIENCE = 200  # fewer steps than this are over before a bar could be read


def steps(count: int, label: str) -> Iterator[int]:
    """range(count); with a bar on stderr when it is a terminal and the loop is long."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if count < PATIENCE or not console.is_terminal:
        yield from range(count)
    else:
        yield from track(range(count), label, console=console, transient=True)
