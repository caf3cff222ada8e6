"""Families of losses: which arguments belong together, their shapes, and samples that reach every
branch.

One family is one file of this folder that defines `FAMILY`; `families()` finds them, there is no
list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

Shape = Mapping[str, int]
Inputs = Mapping[str, "Tensor"]
SHAPES: tuple[Shape, ...] = ({"B": 2, "T": 4, "V": 8}, {"B": 3, "T": 7, "V": 11})
REAL, WHOLE = "real", "whole"  # what an argument holds


@dataclass(frozen=True)
class Argument:
    """One argument of a loss.

    name     as our functions call it
    axes     the axes that it may have, tried in this order; "" is one number, as Python's float
    meaning  what it is, in words
    holds    REAL or WHOLE
    """

    name: str
    axes: tuple[str, ...]
    meaning: str
    holds: str = REAL


def _nothing_to_complete(inputs: Inputs, taken: frozenset[str]) -> Inputs:
    return inputs


@dataclass(frozen=True)
class Family:
    """A family of losses.

    name            its name, as `family=` takes it
    arguments       what its losses may take
    required        names of the arguments without which a loss is of another family
    differentiated  the argument that receives a gradient
    sample          (shape, seed, regime) -> float64 inputs; shape maps axis letters to sizes
    coverage        inputs -> counts of what they reach
    results         axes of what is returned, "" a scalar, a digit a size; where it is held, a
                    tuple of one shape is stacked
    also            further arguments that receive a gradient, judged like `differentiated`
    held            the result is data that a later loss holds fixed: only its value is judged
    properties      names of the properties that serve it beside those that name the family
    shapes          where it is tried, the smallest first
    complete        (sample, names taken) -> sample in which what the loss does not take has the
                    value that it then stands for; its specification is evaluated there

    Regimes: `near` (ratios inside the clip), `moderate` (both clip sides, both signs of the
    advantage, the dual clip), `far` (log-ratios beyond 20, where clamps act).
    """

    name: str
    arguments: tuple[Argument, ...]
    required: frozenset[str]
    differentiated: str
    sample: Callable[[Shape, int, str], dict[str, "Tensor"]]
    coverage: Callable[[Inputs], dict[str, int]]
    results: tuple[str, ...] = ("",)
    also: tuple[str, ...] = ()
    held: bool = False
    properties: frozenset[str] = frozenset()
    shapes: tuple[Shape, ...] = SHAPES
    complete: Callable[[Inputs, frozenset[str]], Inputs] = _nothing_to_complete

    @property
    def names(self) -> frozenset[str]:
        """The names of all its arguments."""
        return frozenset(argument.name for argument in self.arguments)

    def argument(self, name: str) -> Argument:
        """The argument of this name."""
        return next(argument for argument in self.arguments if argument.name == name)


def families() -> dict[str, Family]:
    """Every family of this folder, by name."""
    modules = sorted(module.name for module in iter_modules(__path__))
    found = [import_module(f"{__name__}.{module}").FAMILY for module in modules]
    return {family.name: family for family in found}


def sample(
    family: str, seed: int = 0, regime: str = "moderate", **shape: int
) -> dict[str, "Tensor"]:
    """A sample of a family by name; the reproductions that a report prints use it.

    Shapes: `shape` maps axis letters to sizes: B rows, T tokens, V the vocabulary.
    Units: log-probabilities in nats.

    >>> sorted(sample("kl", B=1, T=2))
    ['logp', 'logp_old', 'logp_ref', 'mask']
    """
    return families()[family].sample(shape, seed, regime)
