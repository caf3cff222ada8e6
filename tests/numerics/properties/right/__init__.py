"""Right code as libraries and papers write it: one file a kind, found by their folder.

A file of this folder defines `RIGHT`: a tuple of (function, what it declares). Nothing may be
flagged.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

Declared = tuple[Callable[..., Any], Mapping[str, Any]]


def right() -> tuple[Declared, ...]:
    """Every loss of this folder."""
    found: list[Declared] = []
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            found += import_module(f"{__name__}.{path.stem}").RIGHT
    return tuple(found)
