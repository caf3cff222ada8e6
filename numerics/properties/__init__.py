"""Properties of losses: one file each, named as what it says, with the families it serves, its
theorem and its cost.

A file `verb_phrase.py` defines `PROPERTY`; `properties()` finds them, there is no list. A judge
never raises for a wrong loss: it returns a finding with one of five verdicts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from math import prod
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from numerics.families import Shape

if TYPE_CHECKING:
    from numerics.check.subject import Subject

LARGE = 50_000  # cells of a sample
VERDICTS = ("fail", "inconclusive", "pass", "reported", "not_applicable")  # worst first


@dataclass(frozen=True)
class Setting:
    """Where a property is tried, and the power that is bought.

    shapes      sizes by axis, from small to large
    seeds       of the samples
    regimes     of the samples, see `Family`
    directions  of the directional derivatives
    """

    shapes: tuple[Shape, ...]
    seeds: tuple[int, ...]
    regimes: tuple[str, ...] = ("near", "moderate", "far")
    directions: int = 2

    def thinned(self) -> "Setting":
        """The same with one seed where a sample is large: for what a size does not hide."""
        large = any(prod(shape.values()) > LARGE for shape in self.shapes)
        return replace(self, seeds=self.seeds[:1]) if large else self

    def points(self) -> list[tuple[Shape, int, str]]:
        """Every (shape, seed, regime), the smallest shape first."""
        return [(s, seed, r) for s in self.shapes for seed in self.seeds for r in self.regimes]


@dataclass(frozen=True)
class Finding:
    """One property's answer. Numbers are in the unit that `message` names.

    property            its name
    verdict             one of VERDICTS
    observed            the worst error seen
    allowed             the largest error that passes
    minimum_detectable  the smallest error that would have been seen
    counterexample      the smallest sample that shows a failure
    theorem             the id of the theorem behind it
    message             what was found, in words
    notes               conventions that were seen
    """

    property: str
    verdict: str
    observed: float | None = None
    allowed: float | None = None
    minimum_detectable: float | None = None
    counterexample: Mapping[str, Any] | None = None
    theorem: str | None = None
    message: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Property:
    """A property of losses.

    name      a verb phrase, also the file's name
    families  whose losses it is judged on
    theorem   the id of the theorem behind it, or None
    cost      in words
    judge     a function of the loss and a setting; it never raises for a wrong loss
    """

    name: str
    families: frozenset[str]
    theorem: str | None
    cost: str
    judge: Callable[["Subject", Setting], Finding]


def properties() -> dict[str, Property]:
    """Every property of this folder, by name."""
    modules = sorted(module.name for module in iter_modules(__path__))
    found = [import_module(f"{__name__}.{module}").PROPERTY for module in modules]
    return {entry.name: entry for entry in found}
