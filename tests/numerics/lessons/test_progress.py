"""A bar for long loops in a terminal, silence otherwise."""

import io

from rich.console import Console

from numerics.lessons.progress import PATIENCE, steps


def drawn(count: int, terminal: bool) -> str:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=80)
    assert list(steps(count, "training", console)) == list(range(count))
    return screen.getvalue()


def test_a_long_loop_shows_its_progress_to_a_person_only() -> None:
    assert "training" in drawn(PATIENCE, True)
    assert drawn(PATIENCE, False) == "" and drawn(PATIENCE - 1, True) == ""
