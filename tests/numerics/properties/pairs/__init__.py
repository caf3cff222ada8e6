"""Right losses and wrong ones, a pair a property: one file a family, found by their folder.

A file of this folder defines `PAIRS`, a tuple of `Pair`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Pair:
    """Property `about` must refuse `wrong`; `right` must pass everything.

    declared holds keywords of `objective(...)` for both.
    """

    about: str
    wrong: Callable[..., Any]
    right: Callable[..., Any]
    declared: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.about}-{self.wrong.__name__}"


def pairs() -> tuple[Pair, ...]:
    """Every pair of this folder."""
    found: list[Pair] = []
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            found += import_module(f"{__name__}.{path.stem}").PAIRS
    return tuple(found)
