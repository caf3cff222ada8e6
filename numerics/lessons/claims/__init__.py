"""Every loose sentence of the lessons with its precise version and a computed example.

    @claim(1, "what is said", "what is true", theorem="chapter.claim")
    def example() -> Example: ...

`holds` says whether the example shows what the precise version says; it can come out false, and a
test fails then. Whether the theorem is proved is asked when the claims are made. Modules of this
folder are found by themselves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from numerics.errors import UnusableInput


@dataclass(frozen=True)
class Example:
    """A sentence about computed values, the values by name, whether they show the point."""

    text: str
    values: Mapping[str, float]
    holds: bool


@dataclass(frozen=True)
class Entry:
    """A claim before its example is computed."""

    number: int
    claim: str
    precise: str
    theorem: str | None
    also: tuple[str, ...]
    compute: Callable[[], Example]


@dataclass(frozen=True)
class Claim:
    """A claim, its precise version, the theorem that settles it, the computed example.

    theorem  an id, or None when the example alone settles it (a statement that something can fail)
    also     further theorems that the precise version rests on
    proved   whether the theorem and all of `also` are proved; False without a theorem
    status   "proved", "not proved yet" or "shown by the example"
    """

    number: int
    claim: str
    precise: str
    theorem: str | None
    also: tuple[str, ...]
    proved: bool
    status: str
    example: str
    values: Mapping[str, float]
    holds: bool


def claim(
    number: int, said: str, precise: str, theorem: str | None, *also: str
) -> Callable[[Callable[[], Example]], Entry]:
    """Declare a claim; nothing is computed until it is asked for."""
    return lambda compute: Entry(number, said, precise, theorem, also, compute)


@cache
def entries() -> dict[int, Entry]:
    """Every claim of this folder by number. Raises UnusableInput when two have the same."""
    found: dict[int, Entry] = {}
    for name in sorted(module.name for module in iter_modules(__path__)):
        for entry in vars(import_module(f"{__name__}.{name}")).values():
            if isinstance(entry, Entry):
                if entry.number in found:
                    raise UnusableInput("two claims have one number", got=str(entry.number))
                found[entry.number] = entry
    return dict(sorted(found.items()))


def replays(id: str) -> bool:
    """Whether the catalogue has this theorem and its certificate replays, now."""
    from derivations.library import Unusable, find
    from numerics.proving import proved

    try:
        theorem = find(id)
    except Unusable:
        return False
    return theorem.name == id and proved(theorem).status == "proved"


def all_claims(is_proved: Callable[[str], bool] = replays) -> list[Claim]:
    """Every claim in the order of its number, each example computed.

    is_proved  answers for a theorem's id; by default the certificate is replayed, which takes
               seconds: a caller that has replayed them already passes its own answer.
    """
    return [_made(entry, is_proved) for entry in entries().values()]


def _made(entry: Entry, is_proved: Callable[[str], bool]) -> Claim:
    example = entry.compute()
    named = [id for id in (entry.theorem, *entry.also) if id is not None]
    proved = bool(named) and all(is_proved(id) for id in named)
    unproved = "not proved yet" if named else "shown by the example"
    return Claim(
        entry.number,
        entry.claim,
        entry.precise,
        entry.theorem,
        entry.also,
        proved,
        "proved" if proved else unproved,
        example.text,
        example.values,
        example.holds,
    )
