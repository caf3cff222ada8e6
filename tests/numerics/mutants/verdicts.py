"""What becomes of a mutant: no program, equivalent, refused with the specification, by properties.

Refused is what a user would see as refused: a property that fails, or an objective that cannot be
judged at all (no gradient, not finite). A mutant that raises was never a loss and is not counted.
"""

import warnings
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import torch

from numerics.check.signature import map_arguments
from numerics.check.specification import specification_of
from numerics.check.subject import Inputs, Subject
from numerics.check.usable import require_usable
from numerics.errors import UnusableInput
from numerics.families import families
from numerics.objective import Objective, objective
from numerics.objectives import reference
from numerics.properties import Property, Setting, properties
from numerics.properties.matches_the_specification import NAME, difference
from tests.numerics.mutants.mutations import SEEN, Mutation, mutations
from tests.numerics.mutants.settings import Use, constants, uses
from tests.numerics.mutants.sources import Function, called, rebuilt, tree_of

SEEDS = (0, 1, 2)
SAME = 1e-10  # relative; what rounds differently is no other loss
UNUSABLE = "cannot be judged"


@dataclass(frozen=True)
class Mutant:
    """A reference objective with one mistake in one of the functions that it calls."""

    objective: str
    place: str
    mutation: Mutation
    function: Function
    watched: Function  # the original, which tells `reached` where the mistake would be made
    reached: list[bool]

    def __str__(self) -> str:
        change = f"`{self.mutation.before}` -> `{self.mutation.after}`"
        return f"{self.place}: {self.mutation.mistake}, {change}"


@dataclass(frozen=True)
class Fate:
    """kind: "no program", "not reached", "equivalent" or "other"; by what it was refused, "" if it
    survived.
    """

    mutant: Mutant
    kind: str
    use: Use | None = None
    specification: str = ""
    alone: str = ""
    claimed: str = ""


def mutants(name: str) -> list[Mutant]:
    """Every mutant of an objective."""
    function = reference(name).function
    return [
        _mutant(name, function, changed, mutation)
        for changed in called(function)
        for mutation in mutations(tree_of(changed))
    ]


def _mutant(name: str, function: Function, changed: Function, mutation: Mutation) -> Mutant:
    reached: list[bool] = []

    def seen(value: Any) -> Any:
        reached.append(True)
        return value

    wrong = rebuilt(function, changed, mutation.tree)
    watched = rebuilt(function, changed, mutation.watched, **{SEEN: seen})
    return Mutant(name, changed.__name__, mutation, wrong, watched, reached)


def declared(name: str, use: Use, function: Function, how: str) -> Objective:
    """The function as its author would declare it: how is "like", "alone" or "claimed"."""
    given: dict[str, Any] = {"constants": constants(name, use), "shapes": use.shapes}
    if how == "like":
        return objective(function, like=name, **given, **use.options)
    return objective(function, claims=use.claims if how == "claimed" else (), **given)


@cache
def bound(name: str, use_number: int, how: str) -> Subject:
    """The original as a subject, its axes as its shapes say or as the family prefers."""
    use = uses(name)[use_number]
    one = declared(name, use, reference(name).function, how)
    mapped = map_arguments(one)
    preferred = {a.name: a.axes[0] for a in mapped.family.arguments if a.name in mapped.ours}
    return Subject(one, mapped, {**preferred, **use.shapes})


def under(subject: Subject, function: Function) -> Subject:
    return replace(subject, objective=replace(subject.objective, function=function))


def setting_of(name: str) -> Setting:
    return Setting(families()[reference(name).family].shapes, SEEDS)


def first_of(setting: Setting) -> Setting:
    """The smallest shape and one seed, where nearly everything shows."""
    return replace(setting, shapes=setting.shapes[:1], seeds=setting.seeds[:1])


def fate(mutant: Mutant) -> Fate:
    """Judge a mutant under the first setting in which it is another loss."""
    name = mutant.objective
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, use in enumerate(uses(name)):
            subject = bound(name, number, "alone")
            kind = _kind(subject, mutant, number)
            if kind == "no program":
                return Fate(mutant, kind)
            if kind == "other":
                like, alone = (refused(bound(name, number, h), mutant) for h in ("like", "alone"))
                claimed = alone or refused(bound(name, number, "claimed"), mutant)
                return Fate(mutant, kind, use, like, alone, claimed)
    return Fate(mutant, "equivalent" if _reached(mutant) else "not reached")


def _reached(mutant: Mutant) -> bool:
    """Whether any setting runs the code where the mistake is made."""
    for number in range(len(uses(mutant.objective))):
        subject = under(bound(mutant.objective, number, "alone"), mutant.watched)
        for point in first_of(setting_of(mutant.objective)).points():
            _results(subject, subject.sample(*point))
            if mutant.reached:
                return True
    return False


def _kind(subject: Subject, mutant: Mutant, number: int) -> str:
    """Compare results and gradients with the original's; the mask decides what is compared."""
    other, kind = under(subject, mutant.function), "equivalent"
    for place, point in enumerate(setting_of(mutant.objective).points()):
        inputs = subject.sample(*point)
        right = _original(mutant.objective, number, place)
        try:
            wrong = _results(other, inputs)
        except Exception:
            if not place:
                return "no program"
            return "other"
        if not _same(right, wrong):
            kind = "other"
            break
    return kind


@cache
def _original(name: str, number: int, place: int) -> list[torch.Tensor]:
    subject, point = bound(name, number, "alone"), setting_of(name).points()[place]
    return _results(subject, subject.sample(*point))


def _results(subject: Subject, inputs: Inputs) -> list[torch.Tensor]:
    """The result under the mask, and the gradients of its sum in every argument that moves."""
    family = subject.family
    names = () if family.held else (family.differentiated, *family.also)
    names = tuple(n for n in names if n in subject.mapped.ours)
    leaves = {n: inputs[n].clone().requires_grad_() for n in names}
    result = subject._value({**inputs, **leaves})
    if result.dim() >= 2 and "mask" in inputs and result.shape[-2:] == inputs["mask"].shape:
        result = torch.where(inputs["mask"] > 0, result, 0.0)
    found = [result.detach()]
    for leaf in leaves.values():
        slope = None
        if result.requires_grad:
            weights = torch.linspace(0.5, 1.5, result.numel(), dtype=torch.float64)
            total = (result * weights.reshape(result.shape)).sum() if result.dim() else result
            slope = torch.autograd.grad(total, leaf, allow_unused=True, retain_graph=True)[0]
        found.append(torch.zeros_like(leaf) if slope is None else slope)
    return found


def _same(right: list[torch.Tensor], wrong: list[torch.Tensor]) -> bool:
    for one, two in zip(right, wrong, strict=True):
        if one.shape != two.shape:
            return False
        scale = float(one.abs().max()) if one.numel() else 0.0
        if not torch.allclose(one, two, rtol=SAME, atol=1e-13 * scale, equal_nan=True):
            return False
    return True


def refused(subject: Subject, mutant: Mutant) -> str:
    """The name of what refuses it, or nothing."""
    mine, setting = under(subject, mutant.function), setting_of(mutant.objective)
    try:
        require_usable(mine, setting.shapes[0], 0)
    except UnusableInput:
        return UNUSABLE
    subjects = mine.each_differentiated(mine.sample(*setting.points()[0]))
    if subject.objective.like is not None and _differs(subjects, setting):
        return NAME
    for where in (first_of(setting), setting):
        for entry in in_order(subject, where):
            if any(entry.judge(one, where).verdict == "fail" for one in subjects):
                COUNTS[entry.name] = COUNTS.get(entry.name, 0) + 1
                return entry.name
    return ""


def _differs(subjects: list[Subject], setting: Setting) -> bool:
    """matches_the_specification without the search for the nearest one."""
    for one in subjects:
        specification = specification_of(one)
        assert specification is not None
        for point in setting.points():
            try:
                if not difference(one, specification, one.sample(*point)).agrees:
                    return True
            except UnusableInput:
                return True
    return False


COUNTS: dict[str, int] = {}  # which properties refuse most: they are asked first
COSTLY = ("follows_its_claim", "clips_where_claimed")
SOMEWHERE = ("changes_with_every_option",)
# Facts without a verdict, and what autograd itself makes true of every mutant.
SILENT = ("reports_frozen_sites", "gradient_is_consistent", "gives_the_same_gradient_twice", NAME)


def in_order(subject: Subject, where: Setting) -> list[Property]:
    """The properties that may refuse, those first that refused most. What asks for a sample where
    something matters is not asked at one sample.
    """
    family, few = subject.family, len(where.seeds) == 1
    mine = [
        entry
        for name, entry in properties().items()
        if (family.name in entry.families or name in family.properties)
        and name not in SILENT
        and not (few and name in SOMEWHERE)
        and not name.startswith(("tells_", "reaches_"))
    ]
    return sorted(mine, key=lambda e: (e.name in COSTLY, -COUNTS.get(e.name, 0)))
