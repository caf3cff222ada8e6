"""What a loss may equal: the reference objectives of its family, and what libraries make of several
of them.

    estimator, then loss     in the group_policy family, every group advantage before every policy
                             loss
    ..., whitened            advantages (gae, groups) normalised over the batch
    numbers that are no data gamma, lam and beta, where the loss does not take them, are options

Each is a `Reference` whose options are those of its parts.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from numerics.check.subject import Subject
from numerics.objectives import Reference, references
from numerics.objectives.whiten import whiten

NUMBERS: Mapping[str, float] = {"gamma": 0.9, "lam": 0.9, "beta": 0.1}  # where a search starts
ESTIMATOR = "group_"  # before the options of an estimator that its loss has too
WHITENED = {"gae": {"output": "advantages"}, "group_advantage": {"spread": "tokens"}}


@dataclass(frozen=True)
class _Signed:
    """A function of named data and options, with their signature."""

    function: Callable[..., Tensor]
    arguments: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def __signature__(self) -> inspect.Signature:
        data = [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for name in self.arguments
        ]
        named = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
            for name, value in self.options.items()
        ]
        return inspect.Signature([*data, *named])

    def __call__(self, **given: Any) -> Tensor:
        return self.function(**{**self.options, **given})


def variants(subject: Subject) -> list[Reference]:
    """The references of the loss's family, and their combinations."""
    family = "policy" if subject.family.name == "logits" else subject.family.name
    known = references().values()
    found = [one for one in known if one.family == family]
    if family in WHITENED:
        found += [_whitened(one) for one in found]
    if family == "group_policy":
        found += [
            _estimated(estimator, loss)
            for estimator in known
            for loss in known
            if estimator.family == "group_advantage" and loss.family == "policy"
        ]
    return [_with_numbers(one, subject) for one in found]


def _with_numbers(known: Reference, subject: Subject) -> Reference:
    """Numbers that the loss neither takes nor declares become options."""
    given = {*subject.mapped.ours, *subject.objective.constants}
    free = [
        name
        for name in known.arguments
        if name in NUMBERS and name not in given and subject.family.argument(name).axes == ("",)
    ]
    if not free:
        return known
    data = tuple(name for name in known.arguments if name not in free)
    options = {**known.options, **{name: NUMBERS[name] for name in free}}
    return Reference(known.name, known.family, _Signed(known.function, data, options), None)


def _whitened(known: Reference) -> Reference:
    fixed = WHITENED[known.family]
    own = {name: value for name, value in known.options.items() if name not in fixed}
    added = {"whitened": "sample", "whitened_guard": 1e-8}

    def function(*, whitened: str = "sample", whitened_guard: float = 1e-8, **given: Any) -> Tensor:
        values = known.function(**given, **fixed)
        return whiten(values, given["mask"], deviation=whitened, guard=whitened_guard)

    name = f"{known.name}, whitened"
    return Reference(name, known.family, _Signed(function, known.arguments, {**own, **added}), None)


def _estimated(estimator: Reference, loss: Reference) -> Reference:
    """A group's advantages, then a policy loss; what only shapes the advantages is fixed."""
    own = {f"{ESTIMATOR}{name}": value for name, value in estimator.options.items()}
    del own[f"{ESTIMATOR}spread"]

    def function(**given: Any) -> Tensor:
        of_estimator = {
            name.removeprefix(ESTIMATOR): value for name, value in given.items() if name in own
        }
        data = {name: given[name] for name in estimator.arguments}
        adv = estimator.function(**data, **of_estimator).detach()
        rest = {name: given[name] for name in given if name in (*loss.arguments, *loss.options)}
        return loss.function(**rest, adv=adv)

    taken = [name for name in loss.arguments if name != "adv"]
    arguments = tuple(dict.fromkeys([*taken, *estimator.arguments]))
    name = f"{estimator.name}, then {loss.name}"
    options = {**loss.options, **own}
    return Reference(name, "group_policy", _Signed(function, arguments, options), None)
