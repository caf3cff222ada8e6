"""The options of a reference that are tried: names in every combination, constants as they were
seen in the loss, numbers that have to be fitted.
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

from numerics.check.probe import Breaks
from numerics.check.specification import ALTERNATIVES, from_reference
from numerics.check.subject import Inputs, Subject
from numerics.errors import UnusableInput
from numerics.objectives import Reference

UNKNOWN = "?"  # no option has this value: the refusal names those that are known
SEEN = ("clip", "clip_high", "dual", "lowest", "highest", "log_ratio_clamp", "value_limit")
LATER = ("guard", "whitened_guard", "group_guard", "log_ratio_clamp", "log_ratio_cap", "norm")
LATER += ("kl_log_ratio_clamp", "kl_value_clamp", "value_clamp")  # tried once the rest is found
LATER += ("alone", "group_alone")
LIMITS: Mapping[str, tuple[Any, ...]] = {
    **{name: (0.0, 1e-8, 1e-6, 1e-5, 1e-4) for name in LATER if name.endswith("guard")},
    "log_ratio_clamp": ALTERNATIVES["log_ratio_clamp"],
    "log_ratio_cap": (10.0, 20.0),
    "kl_log_ratio_clamp": ALTERNATIVES["kl_log_ratio_clamp"],
    "kl_value_clamp": ALTERNATIVES["kl_value_clamp"],
    "value_clamp": ALTERNATIVES["value_clamp"],
    "alone": ("reward",),
    "group_alone": ("reward",),
}


@dataclass(frozen=True)
class Trial:
    """A reference with some options chosen, and the names of those that are to be fitted."""

    known: Reference
    options: Mapping[str, Any]
    free: tuple[str, ...]


def trials(subject: Subject, known: Reference, breaks: Breaks, sample: Inputs) -> Iterator[Trial]:
    """Every combination of the reference's names with every reading of the breaks."""
    optional = _optional(known)
    names = {n: v for n, v in known.options.items() if isinstance(v, str) and n not in LATER}
    values = [_names(subject, known, name, sample) for name in names]
    free = tuple(
        n
        for n, v in known.options.items()
        if isinstance(v, float) and n not in SEEN and n not in LATER
    )
    for seen in _readings(subject, known, breaks, optional):
        for chosen in product(*values):
            yield Trial(known, {**seen, **dict(zip(names, chosen, strict=True))}, free)


def later(known: Reference, count: int) -> list[dict[str, Any]]:
    """One guard or clamp, or two of them: differences that show only far away."""
    single = [{n: v} for n in known.options for v in LIMITS.get(n, ()) if known.options[n] != v]
    if count == 1:
        return single
    return [a | b for a, b in product(single, single) if min(a) < min(b)]


def _readings(
    subject: Subject, known: Reference, breaks: Breaks, optional: set[str]
) -> list[dict[str, Any]]:
    """What was seen in the loss as options of this reference, in each way of reading it."""
    if known.options.get("dual") is not None and (breaks.dual is None or breaks.dual > 5.0):
        return []  # a cap on the ratio was looked for and not found
    found: list[dict[str, Any]] = []
    for reading in breaks.readings():
        if subject.family.name == "value":
            reading = {"clip": reading.get("value_limit")}
        own = {n: v for n, v in reading.items() if n in known.options}
        own |= {n: None for n in SEEN if n in optional and n not in own}
        if own.get("clip_high") == own.get("clip") and "clip_high" in optional:
            own["clip_high"] = None
        if own not in found:
            found.append(own)
    return found


def _optional(known: Reference) -> set[str]:
    """Options that may be None."""
    parameters = inspect.signature(known.function).parameters
    return {
        name
        for name, value in known.options.items()
        if value is None or type(None) in get_args(parameters[name].annotation)
    }


def _names(subject: Subject, known: Reference, name: str, sample: Inputs) -> list[str]:
    """The default of an option and the other values that it may have, as its refusal lists them."""
    default = known.options[name]
    try:
        from_reference(subject, known, {name: UNKNOWN}).evaluate(sample)
    except UnusableInput as refused:
        listed = (refused.expected or "").split(", ")
        return list(dict.fromkeys([default, *(v for v in listed if v)]))
    return [default]
