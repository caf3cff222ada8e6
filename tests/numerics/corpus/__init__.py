"""Public mistakes, written down as two functions each: one file a group, found by their folder.

A file of this folder may define `CASES`: id of tests/data/public.jsonl -> `Case`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Case:
    """A wrong and a right implementation; the property that refuses the wrong one.

    declared holds keywords of `objective(...)`: claims, constants, shapes; never like= or spec=.
    """

    wrong: Callable[..., Any]
    right: Callable[..., Any]
    property: str
    declared: Mapping[str, Any] = field(default_factory=dict)


def cases() -> dict[str, Case]:
    """Every case of this folder."""
    found: dict[str, Case] = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            module = import_module(f"{__name__}.{path.stem}")
            found |= getattr(module, "CASES", {})
    return found
