"""A reference with options, as a candidate for what a loss equals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numerics.objectives import Reference

NEAR = 1e-6  # a misfit that is rounding


@dataclass(frozen=True)
class Candidate:
    """A reference with options, and how close it is.

    known    the reference objective
    options  its options
    scale    the loss is compared with this many times the reference
    misfit   the relative error of the gradient at the samples of the search
    """

    known: Reference
    options: Mapping[str, Any]
    scale: float
    misfit: float

    @property
    def reference(self) -> str:
        """The name of the reference objective."""
        return self.known.name

    @property
    def changed(self) -> dict[str, Any]:
        """Options that do not have their default, in the order of the signature."""
        defaults = self.known.options
        return {n: self.options[n] for n, v in defaults.items() if self.options.get(n, v) != v}

    @property
    def text(self) -> str:
        """`0.5 * grpo(beta=0.03)`; options that have their default are left out."""
        listed = ", ".join(f"{name}={value!r}" for name, value in self.changed.items())
        factor = "" if self.scale == 1.0 else f"{self.scale:.10g} * "
        return f"{factor}{self.reference}({listed})"


@dataclass(frozen=True)
class Identification:
    """The closest candidate; `equal` when it agrees at every sample, else where it first does not.

    objective   the loss's name
    closest     the best candidate
    equal       whether it agrees at every sample
    also        other candidates that agree too
    difference  the first sample where they differ, with both numbers
    tried       how many candidates were compared
    compared    what was compared: data that a later loss holds fixed has no gradient
    """

    objective: str
    closest: Candidate
    equal: bool
    also: tuple[Candidate, ...] = ()
    difference: str = ""
    tried: int = 0
    compared: str = "value and gradient, off-policy too"


def preference(candidate: Candidate) -> tuple[Any, ...]:
    """Smaller misfits first; among equals a scale of one, one reference before a combination, and
    the fewest options.
    """
    exact = 0.0 if candidate.misfit < NEAR else candidate.misfit
    parts = candidate.reference.count(",")
    options = len(candidate.changed) + len(candidate.known.options) / 100
    return exact, candidate.scale != 1.0, parts, options
