"""A batch of the user's own instead of samples."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from numerics.check.subject import Subject
from numerics.errors import UnusableInput
from numerics.families import Shape
from numerics.properties import Setting


@dataclass(frozen=True)
class GivenSubject(Subject):
    """A subject whose every sample is the given batch."""

    batch: Mapping[str, Tensor] | None = None

    def sample(self, shape: Shape, seed: int, regime: str = "moderate") -> dict[str, Tensor]:
        return dict(self.batch or {})


def in_double(subject: Subject, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The batch in float64; raises UnusableInput when an argument of the loss is missing in it."""
    missing = [name for name in subject.mapped.ours if name not in inputs]
    if missing:
        raise UnusableInput(
            f"the given inputs lack {missing[0]}",
            subject.objective.where,
            ", ".join(subject.mapped.ours),
            ", ".join(inputs) or "nothing",
        )
    return {name: v.double() if v.is_floating_point() else v for name, v in inputs.items()}


def on_given_inputs(subject: Subject, inputs: Mapping[str, Tensor]) -> tuple[GivenSubject, Setting]:
    """The subject and the one-point setting for a batch of the user's."""
    point = inputs[subject.wrt]
    shape = dict(zip("BTV", point.shape, strict=False))
    fields = {f.name: getattr(subject, f.name) for f in dataclasses.fields(Subject)}
    given = GivenSubject(**fields, batch=inputs)
    return given, Setting((shape,), (0,), ("given",))
