"""Other ways to write the reference objectives: right losses that must never be refused.

A file of this folder defines `NEIGHBOURS`; `neighbours()` finds them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Neighbour:
    """A loss, the reference objective that it equals, and how its author declares it."""

    loss: Callable[..., Any]
    like: str
    options: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = "".join(f",{name}={value}" for name, value in self.options.items())
        return f"{self.like}{options}:{self.loss.__name__}"


def neighbours() -> dict[str, Neighbour]:
    """Every neighbour of this folder by its name."""
    found: list[Neighbour] = []
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            found += import_module(f"{__name__}.{path.stem}").NEIGHBOURS
    return {str(one): one for one in found}
