"""Which reference objective, with which options, a loss equals in value and in gradient.

Every reference of the loss's family is tried with every choice of its named options (reduction,
estimator, weight of the penalty); clip bounds are read from the loss (see `probe`), the scale and
the penalty's coefficient are fitted by least squares on gradients and then rounded to ten digits.
The comparison is exact to 1e-9 and made off-policy, outside the clip, with unequal lengths and far
references: on-policy nearly all of them are equal.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import torch
from torch import Tensor

from numerics.check.frozen import record
from numerics.check.probe import fitted_constants
from numerics.check.specification import ALTERNATIVES, Specification, from_reference
from numerics.check.subject import Inputs, Subject, bind, contracted
from numerics.check.usable import require_usable
from numerics.errors import UnusableInput
from numerics.objective import Objective
from numerics.objectives import Reference, references
from numerics.properties import Setting

SHAPES = ({"B": 2, "T": 4, "V": 8}, {"B": 3, "T": 7, "V": 11})
NAMED = ("kind", "ratio", "kl_ratio", "reduce")  # tried in every combination
CLAMPS = ("log_ratio_clamp", "kl_log_ratio_clamp", "kl_value_clamp", "value_clamp", "guard")
LINEAR = "beta"  # the coefficient that the loss is linear in


@dataclass(frozen=True)
class Candidate:
    """A reference with options; `scale` times it is compared. `misfit` is the largest relative
    error at the samples of the search.
    """

    reference: str
    options: Mapping[str, Any]
    scale: float
    misfit: float

    @property
    def text(self) -> str:
        """`0.5 * grpo(beta=0.04)`; options that have their default are left out."""
        defaults = references()[self.reference].options
        shown = {n: v for n, v in self.options.items() if defaults[n] != v}
        listed = ", ".join(f"{name}={value!r}" for name, value in shown.items())
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
    """

    objective: str
    closest: Candidate
    equal: bool
    also: tuple[Candidate, ...] = ()
    difference: str = ""
    tried: int = 0


def identify(objective: Objective, *, seed: int = 0) -> Identification:
    """Search the reference objectives of the loss's family, every option of theirs, and every
    scale.

    Raises: UnusableInput as `check` does, and where no reference objective is of the family.
    """
    subject = bind(objective, SHAPES[0])
    require_usable(subject, SHAPES[0], seed)
    setting = Setting(SHAPES, (seed, seed + 1))
    batch = [subject.sample(*point) for point in setting.points()]
    samples = [x for x, p in zip(batch, setting.points(), strict=True) if p[2] != "far"]
    own = [_gradient(subject, inputs) for inputs in samples]
    constants = fitted_constants(subject)
    found = [
        candidate
        for known in references().values()
        if _serves(known, subject)
        for options in _choices(known, constants)
        if (candidate := _fit(subject, known, options, samples, own)) is not None
    ]
    if not found:
        family = subject.family.name
        raise UnusableInput(f"no reference objective of the {family} family", objective.where)
    found.sort(key=_preference)
    near = list({c.text: c for c in found if c.misfit < 1e-6}.values()) or found[:1]
    refined = [r for c in near[:12] if (r := _clamped(subject, c, batch)) is not None]
    if refined:
        refined = list({c.text: c for c in sorted(refined, key=_preference)}.values())
        return Identification(objective.name, refined[0], True, tuple(refined[1:]), "", len(found))
    told = _first_difference(subject, near[0], setting)
    return Identification(objective.name, near[0], False, (), told, len(found))


def _serves(known: Reference, subject: Subject) -> bool:
    family = "policy" if subject.family.name == "logits" else subject.family.name
    return known.family == family


def _choices(known: Reference, constants: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every combination of the named options, with the constants that the loss was seen to have."""
    seen = {name: value for name, value in constants.items() if name in known.options}
    if "dual" in known.options and known.options["dual"] is not None and "dual" not in constants:
        return  # a cap on the ratio was looked for and not found
    named = [name for name in NAMED if name in known.options]
    values = [dict.fromkeys((known.options[name], *ALTERNATIVES[name])) for name in named]
    for chosen in product(*values):
        yield {**seen, **dict(zip(named, chosen, strict=True))}


def _gradient(subject: Subject, inputs: Inputs) -> Tensor:
    gradient = record(subject.function(inputs), inputs[subject.wrt]).gradients[0]
    return torch.zeros_like(inputs[subject.wrt]) if gradient is None else gradient


def _of(subject: Subject, specification: Specification, inputs: Inputs) -> tuple[Tensor, Tensor]:
    leaf = inputs[subject.wrt].detach().requires_grad_()
    value = contracted(specification.evaluate({**inputs, subject.wrt: leaf}))
    if not value.requires_grad:
        return value.detach(), torch.zeros_like(leaf)
    return value.detach(), torch.autograd.grad(value, leaf)[0]


def _fit(
    subject: Subject,
    known: Reference,
    options: dict[str, Any],
    samples: list[dict[str, Tensor]],
    own: list[Tensor],
) -> Candidate | None:
    """Scale and penalty coefficient by least squares; None where the reference cannot run."""
    sets = [{**options, LINEAR: b} for b in (0.0, 1.0)] if LINEAR in known.options else [options]
    try:
        columns = [
            torch.cat(
                [_of(subject, from_reference(subject, known, o), x)[1].flatten() for x in samples]
            )
            for o in sets
        ]
    except (UnusableInput, RuntimeError):
        return None
    if len(columns) == 2:
        columns[1] = columns[1] - columns[0]
    matrix, target = torch.stack(columns, 1), torch.cat([g.flatten() for g in own])
    solution = torch.linalg.lstsq(matrix, target[:, None], driver="gelsd").solution[:, 0]
    scale = _rounded(solution[0].item())
    if not scale:
        return None
    fitted = dict(options)
    if len(columns) == 2:
        fitted[LINEAR] = _rounded(solution[1].item() / solution[0].item())
        if not fitted[LINEAR]:  # without a penalty its kind says nothing
            fitted |= {n: known.options[n] for n in ("kind", "kl_ratio") if n in fitted}
    misfit = (matrix @ solution - target).norm() / target.norm().clamp(min=1e-300)
    return Candidate(known.name, fitted, scale, float(misfit))


def _rounded(number: float) -> float:
    """Ten digits, and zero for what rounding errors leave."""
    return 0.0 if abs(number) < 1e-10 else float(f"{number:.10g}")


def _preference(candidate: Candidate) -> tuple[Any, ...]:
    """Smaller misfits first; among equals a scale of one, and the fewest options."""
    known = references()[candidate.reference]
    changed = sum(known.options[n] != v for n, v in candidate.options.items())
    exact = 0.0 if candidate.misfit < 1e-6 else candidate.misfit
    return exact, candidate.scale != 1.0, changed + len(known.options) / 100


def _clamped(
    subject: Subject, candidate: Candidate, batch: list[dict[str, Tensor]]
) -> Candidate | None:
    """The candidate, if need be with one or two clamps or a guard, that agrees at every sample."""
    known = references()[candidate.reference]
    single = [{n: v} for n in CLAMPS if n in known.options for v in ALTERNATIVES[n]]
    pairs = [a | b for a, b in product(single, single) if a.keys() < (a | b).keys()]
    for change in ({}, *single, *pairs):
        changed = replace(candidate, options={**candidate.options, **change})
        if all(_agrees(subject, changed, inputs) for inputs in reversed(batch)):
            return changed
    return None


def _scaled(subject: Subject, candidate: Candidate) -> Specification:
    known = references()[candidate.reference]
    plain = from_reference(subject, known, candidate.options)
    return replace(plain, evaluate=lambda inputs: candidate.scale * plain.evaluate(inputs))


def _agrees(subject: Subject, candidate: Candidate, inputs: Inputs) -> bool:
    from numerics.properties.matches_the_specification import difference

    return difference(subject, _scaled(subject, candidate), inputs).agrees


def _first_difference(subject: Subject, candidate: Candidate, setting: Setting) -> str:
    from numerics.properties.matches_the_specification import difference

    for shape, seed, regime in setting.points():
        inputs = subject.sample(shape, seed, regime)
        found = difference(subject, _scaled(subject, candidate), inputs)
        if not found.agrees:
            what = "value" if found.entry is None else f"d/d {subject.wrt}{list(found.entry)}"
            sizes = ", ".join(f"{axis}={size}" for axis, size in shape.items())
            told = f"{what}: {found.mine:.6g} here, {found.theirs:.6g} there"
            return f"sample ({sizes}), seed {seed}, regime {regime}: {told}; {found.guess}"
    return ""
