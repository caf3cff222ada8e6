"""What must hold before anything can be judged: finite, deterministic, differentiable, inputs left
alone.
"""

import torch
from torch import Tensor

from numerics.check.frozen import Recorded, record
from numerics.check.messages import no_gradient
from numerics.check.subject import Inputs, Subject
from numerics.errors import UnusableInput
from numerics.families import WHOLE, Shape

SMALLER = ((1, 1), (1, 2), (2, 2), (2, 3))


def require_usable(subject: Subject, shape: Shape, seed: int) -> Recorded:
    """Raise UnusableInput, with the smallest sample found, unless the loss can be judged at this
    shape.
    """
    inputs = subject.sample(shape, seed)
    sample = _named(subject, shape, seed)
    return require_usable_on(subject, inputs, sample)


def require_usable_on(subject: Subject, inputs: Inputs, sample: str) -> Recorded:
    """The same for given inputs."""
    _require_floating(subject, inputs, sample)
    _require_untouched(subject, inputs, sample)
    try:
        recorded = record(subject.function(inputs), inputs[subject.wrt])
    except UnusableInput as error:
        raise UnusableInput(
            error.what,
            error.where or subject.objective.where,
            error.expected,
            error.got,
            sample,
            error.hint or no_gradient(error.got or "", _picked(subject, inputs)),
        ) from error
    if (
        not subject.family.held
    ):  # an estimator that gives no number somewhere is judged, not refused
        _require_finite(subject, recorded, sample)
    _require_deterministic(subject, inputs, recorded, sample)
    return recorded


def _picked(subject: Subject, inputs: Inputs) -> Tensor | None:
    """The loss's own tensor on these inputs; None where it gives none."""
    try:
        return subject.value(inputs)
    except UnusableInput:
        return None


def _named(subject: Subject, shape: Shape, seed: int) -> str:
    sizes = ", ".join(f"{axis}={size}" for axis, size in shape.items())
    return f"{subject.family.name} sample ({sizes}), seed {seed}"


def _require_floating(subject: Subject, inputs: Inputs, sample: str) -> None:
    for name in subject.mapped.ours:
        value = inputs[name]
        whole = subject.family.argument(name).holds == WHOLE
        if not whole and not name.startswith("mask") and not value.is_floating_point():
            dtype = str(value.dtype).removeprefix("torch.")
            raise UnusableInput(
                f"{name} holds integers; a gradient needs floating numbers",
                subject.objective.where,
                "float64",
                dtype,
                sample,
                hint=f"{name}.double()",
            )


def _require_untouched(subject: Subject, inputs: Inputs, sample: str) -> None:
    copies = {name: value.clone() for name, value in inputs.items()}
    subject.value(copies)
    for name in subject.mapped.ours:
        if not torch.equal(copies[name], inputs[name]):
            place = (copies[name] != inputs[name]).nonzero()[0].tolist()
            before, after = inputs[name][tuple(place)].item(), copies[name][tuple(place)].item()
            raise UnusableInput(
                f"{subject.objective.name} changes its input {name} in place",
                subject.objective.where,
                f"{name}{place} = {before:.6g} after the call",
                f"{after:.6g}",
                sample,
                hint=f"work on a copy, {name}.clone(), or use the operation without the underscore",
            )


def _require_finite(subject: Subject, recorded: Recorded, sample: str) -> None:
    gradient = recorded.gradients[0]
    if gradient is None:
        raise UnusableInput(
            f"{subject.objective.name} does not depend on {subject.wrt}",
            subject.objective.where,
            f"a gradient with respect to {subject.wrt}",
            "none; frozen: " + ("; ".join(map(str, recorded.sites)) or "nothing"),
            sample,
        )
    for what, value in (("", recorded.value), (" has a gradient that", gradient)):
        if not bool(torch.isfinite(value).all()):
            verb = "returns" if not what else "is"
            raise UnusableInput(
                f"{subject.objective.name}{what} {verb} {_first_bad(value)}",
                subject.objective.where,
                "finite numbers",
                _first_bad(value),
                sample,
                hint=_smallest(subject),
            )


def _first_bad(value: Tensor) -> str:
    bad = value.flatten()[~torch.isfinite(value.flatten())][0].item()
    return "NaN" if bad != bad else str(bad)


def _smallest(subject: Subject) -> str | None:
    """The smallest shape at which the value or gradient is not finite either."""
    for rows, length in SMALLER:
        shape = {**subject.family.shapes[0], "B": rows, "T": length, "V": 3}
        inputs = subject.sample(shape, 0)
        recorded = record(subject.function(inputs), inputs[subject.wrt])
        values = [recorded.value, *(g for g in recorded.gradients if g is not None)]
        if not all(bool(torch.isfinite(v).all()) for v in values):
            return f"the smallest sample that shows it: B={rows}, T={length}, seed 0"
    return None


def _require_deterministic(
    subject: Subject, inputs: Inputs, recorded: Recorded, sample: str
) -> None:
    again = subject.function(inputs)(inputs[subject.wrt]).detach()
    if not torch.allclose(again, recorded.value, rtol=0.0, atol=0.0, equal_nan=True):
        raise UnusableInput(
            f"{subject.objective.name} gives another value each time",
            subject.objective.where,
            "the same value for the same inputs",
            f"{recorded.value.item()!r}, then {again.item()!r}",
            sample,
            hint="seed its randomness inside the loss",
        )
