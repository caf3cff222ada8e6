"""Every number that the lessons print, recomputed: one function an entry, found by its id.

    @number("fisher.kl", TRUST_REGIONS, "KL after a small step", printed=0.0001918, within=5e-8)
    def exact() -> Tensor: ...

`within` is the tolerance of each element; without it the entry is a predicate or a setting, and its
function returns a `Judged`. Modules of this folder are found by themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import torch
from torch import Tensor

from numerics.errors import UnusableInput

TRUST_REGIONS = "lesson-trust-regions-ppo-rlhf"
POLICY_OPTIMISATION = "lesson-policy-optimisation"

Value = float | tuple[float, ...] | str


@dataclass(frozen=True)
class Judged:
    """The value of a predicate or setting, whether it holds, and what is worth adding."""

    computed: Value
    holds: bool
    note: str = ""


Compute = Callable[[], Tensor | float | Judged]


@dataclass(frozen=True)
class Entry:
    """What is printed, and the function that recomputes it."""

    id: str
    lesson: str
    what: str
    printed: Value | None
    tolerance: float | None
    note: str
    compute: Compute


@dataclass(frozen=True)
class Number:
    """A printed value beside the computed one; `holds` says whether they agree."""

    id: str
    lesson: str
    what: str
    printed: Value | None
    tolerance: float | None
    computed: Value
    holds: bool
    note: str


def number(
    id: str,
    lesson: str,
    what: str,
    printed: Value | None = None,
    within: float | None = None,
    note: str = "",
) -> Callable[[Compute], Entry]:
    """Declare an entry; nothing is computed until it is asked for."""
    return lambda compute: Entry(id, lesson, what, printed, within, note, compute)


@cache
def entries() -> dict[str, Entry]:
    """Every entry of this folder by its id. Raises UnusableInput when two have the same."""
    found: dict[str, Entry] = {}
    for name in sorted(module.name for module in iter_modules(__path__)):
        for entry in vars(import_module(f"{__name__}.{name}")).values():
            if isinstance(entry, Entry):
                if entry.id in found:
                    raise UnusableInput("two numbers have one id", got=entry.id)
                found[entry.id] = entry
    return found


def recompute(entry: Entry) -> Number:
    """Compute one entry and compare."""
    result = entry.compute()
    if not isinstance(result, Judged):
        computed = _plain(result)
        result = Judged(computed, agrees(computed, entry.printed, entry.tolerance))
    note = "; ".join(text for text in (entry.note, result.note) if text)
    return Number(
        entry.id,
        entry.lesson,
        entry.what,
        entry.printed,
        entry.tolerance,
        result.computed,
        result.holds,
        note,
    )


def all_numbers() -> list[Number]:
    """Every entry, recomputed, in the order of the files and of their lines."""
    return [recompute(entry) for entry in entries().values()]


def agrees(computed: Value, printed: Value | None, tolerance: float | None) -> bool:
    """|computed - printed| <= tolerance for each element; one printed number serves several
    computed ones. Raises UnusableInput where there is nothing to compare.

    >>> agrees((0.371, 0.3709), 0.37, 0.005), agrees(0.38, 0.37, 0.005)
    (True, False)
    """
    if printed is None or tolerance is None or isinstance(printed, str):
        raise UnusableInput("nothing is printed to compare with", got=str(computed))
    many = isinstance(computed, tuple)
    left = torch.tensor(computed if many else [computed], dtype=torch.float64)
    right = torch.tensor(printed, dtype=torch.float64)
    if right.dim() and left.shape != right.shape:
        return False
    # A rounding of the last digit's half is not a difference: 1e-12 beside the tolerance.
    return bool(((left - right).abs() <= tolerance * (1 + 1e-12)).all())


def _plain(value: Tensor | float) -> Value:
    """Plain floats; adding 0 turns -0.0 into 0.0."""
    if not isinstance(value, Tensor):
        return float(value) + 0.0
    return tuple((value + 0.0).tolist()) if value.dim() else float(value + 0.0)
