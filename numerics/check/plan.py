"""What is judged of a loss, and where: its subject, the samples, the properties of its family."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import prod
from typing import Any

from torch import Tensor

from numerics.check.claims import Claim
from numerics.check.coverage import reached
from numerics.check.given import in_double, on_given_inputs
from numerics.check.signature import map_arguments
from numerics.check.subject import Subject, bind
from numerics.check.usable import require_usable, require_usable_on
from numerics.errors import UnusableInput
from numerics.families import Family, families
from numerics.objective import Objective
from numerics.properties import Finding, Property, Setting, properties

SEEDS = 3
MOST = 2**27  # numbers of a sample: a gigabyte in float64
# What is reported of one argument (a stop-gradient) is not to be lost behind a pass of another.
_TELLING = ("fail", "inconclusive", "reported", "pass", "not_applicable")


@dataclass(frozen=True)
class Plan:
    """A loss that can be judged: bound to its family, once for each argument that moves it."""

    subjects: tuple[Subject, ...]
    setting: Setting
    properties: tuple[Property, ...]

    @property
    def subject(self) -> Subject:
        """The loss with the family's first argument differentiated."""
        return self.subjects[0]

    def finding(self, entry: Property) -> Finding:
        """The answer of a property, the most telling over the arguments with a gradient; its
        theorem is the property's where the judge names no closer one.
        """
        each = [entry.judge(one, self.setting) for one in self.subjects]
        told = min(each, key=lambda finding: _TELLING.index(finding.verdict))
        return replace(told, theorem=told.theorem or entry.theorem)

    def coverage(self) -> dict[str, int]:
        """What the samples reached, counted."""
        return reached(self.subject, self.setting)


def plan(
    declared: Objective,
    *,
    shapes: tuple[Mapping[str, int], ...] | None = None,
    seed: int = 0,
    seeds: int = SEEDS,
    only: tuple[str, ...] = (),
    inputs: Mapping[str, Tensor] | None = None,
    device: str = "cpu",
) -> Plan:
    """The plan of `check`; raises UnusableInput for a loss that cannot be judged."""
    if not all(claim.strip() for claim in declared.claims):
        raise UnusableInput(
            "an empty claim", declared.where, "what is claimed, in words", "nothing"
        )
    declared = replace(declared, claims=tuple(map(Claim, declared.claims)))
    family = map_arguments(declared).family
    sizes = _complete(shapes or family.shapes, family)
    subject = bind(declared, sizes[0], device)
    chosen = _chosen(subject, only)
    if inputs is None:
        require_usable(subject, sizes[0], seed)
        setting = Setting(sizes, tuple(range(seed, seed + seeds)))
    else:
        inputs = in_double(subject, inputs)
        require_usable_on(subject, inputs, "the given inputs")
        subject, setting = on_given_inputs(subject, inputs)
    subjects = subject.each_differentiated(subject.sample(*setting.points()[0]))
    return Plan(tuple(subjects), setting, chosen)


def _complete(shapes: tuple[Mapping[str, int], ...], family: Family) -> tuple[dict[str, int], ...]:
    """Each shape with the family's smallest size where it names none; refuses what no family has,
    and what no memory holds.
    """
    known = {axis for one in families().values() for shape in one.shapes for axis in shape}
    for shape in shapes:
        strange = sorted(set(shape) - known)
        if strange:
            raise UnusableInput("unknown axis", None, ", ".join(sorted(known)), strange[0])
        numbers = prod(size for axis, size in shape.items() if axis in family.shapes[0])
        if numbers > MOST:
            raise UnusableInput("too large a shape", None, f"at most {MOST} numbers", f"{numbers}")
    return tuple({**family.shapes[0], **shape} for shape in shapes)


def _chosen(subject: Subject, only: tuple[str, ...]) -> tuple[Property, ...]:
    """The properties of the family, or those of them that `only` names; none is refused."""
    family, known = subject.family, properties()
    strangers = sorted(set(only) - set(known))
    if strangers:
        close = ", ".join(get_close_matches(strangers[0], known, 3, 0.3)) or "a property"
        raise UnusableInput("unknown property", expected=close, got=strangers[0])
    own = {
        name: entry
        for name, entry in known.items()
        if family.name in entry.families or name in family.properties
    }
    if only and not set(only) & set(own):
        serves = ", ".join(sorted(known[only[0]].families))
        raise UnusableInput(
            f"{only[0]} says nothing of the {family.name} family",
            subject.objective.where,
            "one of the properties that proofgrad check lists without --only",
            f"{only[0]}, which serves {serves}",
        )
    return tuple(entry for name, entry in own.items() if not only or name in only)


def as_declared(function: Any) -> Objective:
    """A plain function as an objective of which nothing is claimed."""
    from numerics.objective import objective

    return replace(objective(function), home=getattr(function, "__module__", None) or "")
