"""The table of mutants: how many there are of each objective, how many are refused, who survives.

Counted is a mutant that runs and is another loss. It is refused with the specification (`like=`),
by properties alone (no claim at all), or by properties under the claims of `settings`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.numerics.mutants.reasons import reason
from tests.numerics.mutants.verdicts import Fate, fate, mutants

TABLE = Path(__file__).parents[2] / "data" / "loss_mutants.md"
HEAD = """# Mutants of the reference objectives, and what refuses them

Written by `python -m tests.numerics.mutants`. One mistake at a time is made in the torch code of an
objective or of a function that it calls. A mutant that does not run is no loss; a mistake in code
that no setting reaches (another reduction's, say) changes nothing; a mutant with the same value and
gradients at every sample of every setting, far ones too, is equivalent; the others are counted.
*With the specification*: under `like=`. *Alone*: by properties, without specification and without
any claim. *With claims*: by properties under what the author would declare (reduction, direction,
scale). Defaults of options, and which of two things a word names, are not mutated.
"""
COLUMNS = (
    "| objective | no program | not reached | equivalent | counted | with the specification "
    "| alone | with claims |\n|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Row:
    """The numbers of one objective, or of all."""

    name: str
    broken: int
    unreached: int
    equivalent: int
    counted: int
    specified: int
    alone: int
    claimed: int

    def __str__(self) -> str:
        numbers = (self.broken, self.unreached, self.equivalent, self.counted)
        numbers += (self.specified, self.alone, self.claimed)
        return f"| {self.name} | " + " | ".join(map(str, numbers)) + " |"


def fates(name: str) -> list[Fate]:
    """What becomes of every mutant of an objective."""
    return [fate(mutant) for mutant in mutants(name)]


def row(name: str, found: Sequence[Fate]) -> Row:
    kinds = Counter(one.kind for one in found)
    return Row(
        name,
        kinds["no program"],
        kinds["not reached"],
        kinds["equivalent"],
        kinds["other"],
        sum(bool(one.specification) for one in found),
        sum(bool(one.alone) for one in found),
        sum(bool(one.claimed) for one in found),
    )


def total(rows: Iterable[Row]) -> Row:
    rows = list(rows)
    fields = ("broken", "unreached", "equivalent", "counted", "specified", "alone", "claimed")
    return Row("all", *(sum(getattr(one, field) for one in rows) for field in fields))


def survivors(name: str, found: Sequence[Fate]) -> list[str]:
    """Lines for the mutants that properties do not refuse under the claims, with the reason."""
    lines = []
    for one in found:
        if one.kind == "other" and not one.claimed:
            seen = "" if one.specification else " (nor with the specification)"
            lines.append(f"- {name}, {one.mutant}{seen}: {reason(one.mutant)}")
    return sorted(set(lines))


def equivalents(found: Sequence[Fate]) -> list[str]:
    """The mutants that are the same loss."""
    return sorted({str(one.mutant) for one in found if one.kind == "equivalent"})


def quiet(found: Sequence[Fate]) -> Counter[str]:
    """The mistakes that only a claim shows, by their names."""
    return Counter(one.mutant.mutation.mistake for one in found if one.claimed and not one.alone)


@dataclass(frozen=True)
class Result:
    """What the page says of one objective."""

    row: Row
    left: Sequence[str]
    quiet: Mapping[str, int]
    same: Sequence[str]


def result(name: str) -> Result:
    """Make and judge every mutant of an objective."""
    found = fates(name)
    return Result(row(name, found), survivors(name, found), quiet(found), equivalents(found))


def page(results: Sequence[Result]) -> str:
    """The whole page."""
    rows = [one.row for one in results]
    mistakes, same = Counter(), {}
    for one in results:
        mistakes.update(one.quiet)
        for line in one.same:
            same.setdefault(line, []).append(one.row.name)
    told = ", ".join(f"{name} {count}" for name, count in sorted(mistakes.items()))
    parts = [
        HEAD,
        shares(total(rows)),
        "",
        COLUMNS,
        *map(str, [*rows, total(rows)]),
        "",
        "Refused under a claim only: " + told + ".",
        "",
        "## Survivors under the claims",
        "",
        *(line for one in results for line in one.left),
        "",
        "## Equivalent mutants",
        "",
        *(f"* {line} ({', '.join(names)})" for line, names in sorted(same.items())),
        "",
    ]
    return "\n".join(parts)


def shares(everything: Row) -> str:
    """The three shares in words."""
    kinds = (
        ("with the specification", everything.specified),
        ("by properties alone", everything.alone),
        ("by properties under claims", everything.claimed),
    )
    told = [f"{count / everything.counted:.1%} {kind}" for kind, count in kinds]
    return f"Of {everything.counted} mutants refused: " + ", ".join(told) + "."
