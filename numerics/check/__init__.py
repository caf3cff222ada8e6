"""`check(objective)`: every property of the loss's family, each with a verdict.

    from numerics import check
    report = check(my_loss)
    report.verdict             # "pass", "fail" or "inconclusive"

The package is callable, since `numerics.check` is both it and the function (see
callable_module.py).
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numerics.callable_module import CallableModule
from numerics.errors import UnusableInput
from numerics.objective import Objective

if TYPE_CHECKING:
    from torch import Tensor

    from numerics.properties import Finding

Watch = Callable[[str, int, int], None]
SEEDS = 3
# What is reported of one argument (a stop-gradient) is not to be lost behind a pass of another.
_TELLING = ("fail", "inconclusive", "reported", "pass", "not_applicable")


@dataclass(frozen=True)
class Report:
    """One objective's findings.

    objective  the loss's name
    family     the name of its family
    findings   one a property, in the order of the names
    coverage   what the samples reached, counted, so that a pass is not vacuous
    """

    objective: str
    family: str
    findings: tuple["Finding", ...]
    coverage: Mapping[str, int]

    @property
    def verdict(self) -> str:
        """fail if anything failed, else inconclusive if anything is, else pass."""
        verdicts = {finding.verdict for finding in self.findings}
        return next((v for v in ("fail", "inconclusive") if v in verdicts), "pass")


def check(
    objective: Objective | Callable[..., Any],
    *,
    shapes: tuple[Mapping[str, int], ...] | None = None,
    seed: int = 0,
    seeds: int = SEEDS,
    only: tuple[str, ...] = (),
    inputs: Mapping[str, "Tensor"] | None = None,
    device: str = "cpu",
    accumulate: int = 0,
    watch: Watch = lambda *progress: None,
) -> Report:
    """Judge every property of the family (or those named in `only`) at seeded samples, or at given
    `inputs`; takes an `@objective` or a plain function whose argument names are ours.

    Shapes: those of the family's arguments, as its page says; `shapes` maps axis letters to sizes.
    Units: log-probabilities in nats.
    Raises: UnusableInput, with one message, for a loss that cannot be judged: it raises, is not
    finite, not a scalar, has no gradient, changes its inputs, is random.

    >>> from numerics.objectives.ppo_clip import ppo_clip
    >>> check(ppo_clip, seeds=1).verdict
    'pass'
    """
    declared = objective if isinstance(objective, Objective) else _declared(objective)
    subject, setting = _prepared(declared, shapes, seed, seeds, inputs, device)
    chosen = _chosen(subject, only)
    subjects = subject.each_differentiated(subject.sample(*setting.points()[0]))
    findings = []
    for i, entry in enumerate(chosen):
        watch(entry.name, i, len(chosen))
        findings.append(_judged(entry, subjects, setting))
    if accumulate:
        findings.append(_accumulated(subject, accumulate, seed))
    coverage = _coverage(subject, setting)
    return Report(declared.name, subject.family.name, tuple(findings), coverage)


def _prepared(
    declared: Objective,
    shapes: tuple[Mapping[str, int], ...] | None,
    seed: int,
    seeds: int,
    inputs: Mapping[str, "Tensor"] | None,
    device: str,
) -> tuple[Any, Any]:
    """The loss bound to its family, and where it is tried; raises unless it can be judged."""
    from numerics.check.given import in_double, on_given_inputs
    from numerics.check.signature import map_arguments
    from numerics.check.subject import bind
    from numerics.check.usable import require_usable, require_usable_on
    from numerics.properties import Setting

    family = map_arguments(declared).family
    shapes = tuple({**family.shapes[0], **shape} for shape in shapes or family.shapes)
    subject = bind(declared, shapes[0], device)
    if inputs is None:
        require_usable(subject, shapes[0], seed)
        return subject, Setting(tuple(shapes), tuple(range(seed, seed + seeds)))
    inputs = in_double(subject, inputs)
    require_usable_on(subject, inputs, "the given inputs")
    return on_given_inputs(subject, inputs)


def _declared(function: Callable[..., Any]) -> Objective:
    from numerics.objective import objective

    home = getattr(function, "__module__", None) or ""
    return replace(objective(function), home=home)


def _judged(entry: Any, subjects: list[Any], setting: Any) -> Any:
    """The finding of a property, the most telling over the arguments that receive a gradient."""
    each = [entry.judge(one, setting) for one in subjects]
    return min(each, key=lambda finding: _TELLING.index(finding.verdict))


def _accumulated(subject: Any, count: int, seed: int) -> "Finding":
    from numerics.check.ranks import over_micro_batches

    if count < 2:
        raise UnusableInput("cannot accumulate", expected="2 or more micro-batches", got=str(count))
    return over_micro_batches(subject, count, seed)


def _chosen(subject: Any, only: tuple[str, ...]) -> list[Any]:
    """The properties of the family, or those of them that `only` names; none is refused."""
    from numerics.properties import properties

    family, known = subject.family, properties()
    strangers = sorted(set(only) - set(known))
    if strangers:
        raise UnusableInput("unknown property", expected=", ".join(known), got=strangers[0])
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
            ", ".join(own),
            f"{only[0]}, which serves {serves}",
        )
    return [entry for name, entry in own.items() if not only or name in only]


def _coverage(subject: Any, setting: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for point in setting.points():
        inputs = subject.sample(*point)
        if not subject.family.names <= set(inputs):
            return {}  # a batch of the user's own that holds only what the loss takes
        for name, count in subject.family.coverage(inputs).items():
            total[name] = (
                max(total.get(name, 0), count) if name == "lengths" else total.get(name, 0) + count
            )
    return total


sys.modules[__name__].__class__ = CallableModule
