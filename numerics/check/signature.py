"""Which argument of the loss is which of ours, and which family that makes it.

Pure functions over names; nothing here calls the loss.
"""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from numerics.errors import UnusableInput
from numerics.families import Family, families
from numerics.objective import Objective, parameters_of

# Names that other libraries give to our arguments, for the hint only; nothing is mapped without
# being asked.
_USUAL = {
    "logp": (
        "log_prob",
        "logprob",
        "logprobs",
        "log_probs",
        "logps",
        "per_token_logps",
        "new_logprobs",
    ),
    "logp_old": (
        "old_log_prob",
        "old_logprobs",
        "old_log_probs",
        "old_logprob",
        "old_per_token_logps",
    ),
    "logp_ref": (
        "ref_log_prob",
        "ref_logprobs",
        "ref_log_probs",
        "ref_logprob",
        "ref_per_token_logps",
    ),
    "adv": ("advantages", "advantage", "A"),
    "mask": ("response_mask", "action_mask", "loss_mask", "completion_mask", "eos_mask", "masks"),
    "labels": ("actions", "tokens", "input_ids", "responses", "targets"),
}

DENOMINATORS = ("tokens", "sequences", "shards")


@dataclass(frozen=True)
class Mapped:
    """theirs -> ours for the data, in the order of the signature; theirs that are passed by
    position; the family.
    """

    data: Mapping[str, str]
    positional: tuple[str, ...]
    family: Family

    @property
    def ours(self) -> tuple[str, ...]:
        return tuple(self.data.values())


def map_arguments(objective: Objective) -> Mapped:
    """The mapping of an objective; raises UnusableInput naming the argument that does not fit."""
    _require_a_function(objective)
    try:
        parameters = parameters_of(objective.judged)
    except (TypeError, ValueError) as error:
        raise UnusableInput(
            f"{objective.name} has no readable signature", objective.where
        ) from error
    known = families()
    ours_of = {theirs: ours for ours, theirs in objective.args.items()}
    _refuse_strangers(objective, parameters)
    everything = frozenset().union(*(family.names for family in known.values()))
    data: dict[str, str] = {}
    optional: set[str] = set()
    given = {*objective.constants, *objective.denominators.values()}
    for name, parameter in parameters.items():
        variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if variadic or name in given:
            continue
        ours = ours_of.get(name, name if name not in objective.args else None)
        if ours is not None and ours in everything:
            data[name] = ours
            if parameter.default is not parameter.empty and name not in objective.args.values():
                optional.add(ours)
        elif parameter.default is parameter.empty:
            raise _unknown_argument(objective, name, everything)
    data |= {theirs: ours for theirs, ours in ours_of.items() if theirs not in parameters}
    positional = tuple(n for n, p in parameters.items() if p.kind is p.POSITIONAL_ONLY)
    family = family_of(objective, frozenset(data.values()), known, frozenset(optional))
    kept = {theirs: ours for theirs, ours in data.items() if ours in family.names}
    return Mapped(kept, positional, family)


def _refuse_strangers(objective: Objective, parameters: Mapping[str, inspect.Parameter]) -> None:
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return
    denominators = objective.denominators
    for kind in denominators:
        if kind not in DENOMINATORS:
            told = f"denominators= of {objective.name}"
            raise UnusableInput(told, objective.where, ", ".join(DENOMINATORS), kind)
    for name in [*objective.args.values(), *objective.passed, *denominators.values()]:
        if name not in parameters:
            raise UnusableInput(
                f"{objective.name} has no argument {name}",
                where=objective.where,
                expected="one of " + ", ".join(parameters),
                got=f"{name}, in args, constants or denominators",
            )


def _unknown_argument(objective: Objective, name: str, known: Iterable[str]) -> UnusableInput:
    usual = [ours for ours, others in _USUAL.items() if name in others]
    close = usual or get_close_matches(name, list(known), 1, 0.75)
    value = f'give it a value, constants={{"{name}": ...}} or --constant {name}=...'
    if name == "self":
        hint = "a method is a loss with its object: objective(trainer.loss)"
    elif close:
        mapped = f'map it, args={{"{close[0]}": "{name}"}} or --arg {close[0]}={name}'
        hint = f"{mapped}; or {value}"
    else:
        hint = f"map it, --arg OURS={name}; {value}; or make the loss of our arguments, setup="
    return UnusableInput(
        f"argument {name} of {objective.name} is not known",
        where=objective.where,
        expected="arguments of a family, such as logp, logp_old, logp_ref, adv, mask",
        got=name,
        hint=hint,
    )


def _require_a_function(objective: Objective) -> None:
    """Refuse what is callable and yet no loss: a class, a coroutine, a generator."""
    kinds = {
        "a class": inspect.isclass,
        "a coroutine": inspect.iscoroutinefunction,
        "a generator": inspect.isgeneratorfunction,
    }
    for kind, holds in kinds.items():
        if holds(objective.judged):
            hint = "objective(Loss(...)), or setup=Loss" if kind == "a class" else None
            name = objective.name
            raise UnusableInput(f"{name} is {kind}", objective.where, "a loss", kind, hint=hint)


def family_of(
    objective: Objective,
    names: frozenset[str],
    known: Mapping[str, Family],
    optional: frozenset[str] = frozenset(),
) -> Family:
    """The declared family, or the one that the names fit; none or several is unusable input.

    `optional` names have defaults of the loss's own: a family that does not know them leaves them
    there. Of the families that fit, those that know the most names count.
    """
    if objective.family is not None and objective.family not in known:
        raise UnusableInput(
            "unknown family", objective.where, ", ".join(sorted(known)), objective.family
        )
    candidates = [known[objective.family]] if objective.family else list(known.values())
    fitting = [f for f in candidates if f.required <= names and names - optional <= f.names]
    most = max((len(names & f.names) for f in fitting), default=0)
    fitting = [f for f in fitting if len(names & f.names) == most]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UnusableInput(
            f"the arguments of {objective.name} fit several families",
            where=objective.where,
            expected="one family",
            got=", ".join(f.name for f in fitting),
            hint=f'say which: family="{fitting[0].name}" or --family {fitting[0].name}',
        )
    raise UnusableInput(
        f"the arguments of {objective.name} fit no family",
        objective.where,
        "; ".join(f"{f.name}: {_described(f)}" for f in _closest(candidates, names)),
        ", ".join(sorted(names)) or "none",
    )


def _closest(candidates: list[Family], names: frozenset[str]) -> list[Family]:
    """The three families with the fewest names missing or strange, the closest first."""
    return sorted(candidates, key=lambda f: len(f.required - names) + len(names - f.names))[:3]


def _described(family: Family) -> str:
    optional = sorted(family.names - family.required)
    required = ", ".join(sorted(family.required))
    return required + (f" (and any of {', '.join(optional)})" if optional else "")
