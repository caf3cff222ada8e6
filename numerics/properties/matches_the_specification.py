"""The loss equals what it claims to be, in value and in gradient.

For `like=` (a reference objective with options) or `spec=`: at every sample, |f - s| and each entry
of |grad f - grad s| within a relative 1e-9. Clamps and guards that act only far away are found
there and named. A result per token is compared under the mask; what differs in the padding is a
note.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from numerics.check.frozen import Recorded, record
from numerics.check.locate import describe
from numerics.check.reproduce import value_lines
from numerics.check.specification import (
    Specification,
    frozen_in_both,
    nearest,
    specification_of,
    under_the_mask,
)
from numerics.check.subject import Inputs, Subject, contracted
from numerics.check.widened import without_rounding
from numerics.families import Shape
from numerics.properties import Finding, Property, Setting

NAME = "matches_the_specification"
ALLOWED = 1e-9
IN_CONSTANTS, IN_THE_GRAPH = 1e-6, 1e-4  # where the loss uses float32
GUARDS = (1e-8, 1e-6, 1e-5)
SUBTLE = 1e-4  # a smaller difference of values may be the loss's own rounding


@dataclass(frozen=True)
class Difference:
    """How far the loss is from a specification at one sample; entry None means the value."""

    observed: float
    allowed: float
    entry: tuple[int, ...] | None
    mine: float
    theirs: float
    guess: str

    @property
    def agrees(self) -> bool:
        return self.observed <= self.allowed


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare at every point of the setting; the first difference is the smallest shape's."""
    specification = specification_of(subject)
    if specification is None:
        message = "nothing is claimed: neither like= nor spec="
        return Finding(NAME, "not_applicable", message=message)
    found: list[Difference] = []
    for shape, seed, regime in setting.points():
        found.append(difference(subject, specification, subject.sample(shape, seed, regime)))
        if not found[-1].agrees:
            point = (shape, seed, regime)
            guarded = _guarded(subject, setting)
            return guarded or _failure(subject, specification, setting, point, found[-1])
    worst, allowed = max(f.observed for f in found), max(f.allowed for f in found)
    message = f"equals {specification.text} in value and gradient at {len(found)} samples"
    notes = ("part of it is computed in float32",) if allowed > ALLOWED else ()
    notes += _padding(subject, specification, setting)
    return Finding(NAME, "pass", worst, allowed, allowed, message=message, notes=notes)


def difference(subject: Subject, specification: Specification, inputs: Inputs) -> Difference:
    """The larger of the relative errors of value and gradient at one sample.

    A loss below float64 is compared without its rounding where that runs. Where it does not and the
    loss uses float32, its value may be off by that much of its terms, which may cancel.
    """
    point = inputs[subject.wrt]

    def judged(result: Tensor) -> Tensor:
        return contracted(under_the_mask(subject, inputs, result))

    mine = without_rounding(
        lambda: record(lambda t: judged(subject.value({**inputs, subject.wrt: t})), point)
    )
    allowed = _allowed(mine)
    leaf = point.detach().requires_grad_()
    value = judged(specification.evaluate({**inputs, subject.wrt: leaf}))
    gradient = torch.zeros_like(leaf)
    if value.requires_grad:
        gradient = torch.autograd.grad(value, leaf)[0]
    own = mine.gradients[0] if mine.gradients[0] is not None else torch.zeros_like(leaf)
    floor = 1e-4 * allowed * float(gradient.abs().max()) + 1e-300
    rounded = allowed * float(gradient.abs().sum()) if allowed > ALLOWED else 0.0
    value_error = _relative(mine.value, value.detach(), max(floor, 1e-13, rounded)).item()
    if allowed < value_error < SUBTLE:
        lost = _lost_digits(lambda t: judged(subject.value({**inputs, subject.wrt: t})), point)
        value_error = _relative(mine.value, value.detach(), max(floor, 1e-13, rounded, lost)).item()
    errors = _relative(own, gradient, floor)
    if value_error >= float(errors.max()):
        both = mine.value.item(), float(value.detach())
        return Difference(value_error, allowed, None, *both, _value_guess(*both))
    flat = int(errors.argmax())
    entry = tuple(int(i) for i in torch.unravel_index(torch.tensor(flat), point.shape))
    mask = inputs.get("mask") if "mask" in subject.mapped.ours else None
    places = list(range(point.numel()))
    guess = describe(own.reshape(-1), gradient.reshape(-1), places, tuple(point.shape), mask)
    both = own[entry].item(), gradient[entry].item()
    return Difference(float(errors.max()), allowed, entry, *both, guess)


class _Sizes(TorchFunctionMode):
    """The largest finite number in any result."""

    largest = 0.0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor) and result.is_floating_point() and result.numel():
            size = result.detach().abs().nan_to_num(0.0, 0.0, 0.0).max()
            self.largest = max(self.largest, float(size))
        return result


def _lost_digits(evaluate: Callable[[Tensor], Tensor], point: Tensor) -> float:
    """What rounding leaves of the largest number on the way, where large numbers cancel."""
    with torch.no_grad(), _Sizes() as sizes:
        evaluate(point)
    return 2 * torch.finfo(torch.float64).eps * sizes.largest


def _padding(subject: Subject, specification: Specification, setting: Setting) -> tuple[str, ...]:
    """A note when positions off the mask hold something else than the specification puts there."""
    inputs = subject.sample(*setting.points()[-1])
    mine, theirs = subject.value(inputs).detach(), specification.evaluate(inputs).detach()
    if mine.shape != theirs.shape:
        return ()
    off = [x - under_the_mask(subject, inputs, x) for x in (mine, theirs)]
    if torch.allclose(*off, rtol=1e-6, atol=1e-9):
        return ()
    return ("off the mask it differs from the specification, which is not judged",)


def _allowed(mine: Recorded) -> float:
    """1e-9, or what float32 leaves: in a constant only, or along the graph."""
    double = torch.finfo(torch.float64).eps
    if mine.eps_anywhere <= double:
        return ALLOWED
    return IN_CONSTANTS if mine.eps <= double else IN_THE_GRAPH


def _relative(mine: Tensor, theirs: Tensor, floor: float) -> Tensor:
    """|mine - theirs| beyond the floor, relative to the larger: 2 at most."""
    excess = ((mine - theirs).abs() - floor).clamp(min=0.0)
    return excess / torch.maximum(mine.abs(), theirs.abs()).clamp(min=1e-300)


def _value_guess(mine: float, theirs: float) -> str:
    if not theirs:
        return "the specification is zero here"
    return f"the value differs by a factor {mine / theirs:.6g}"


def _guarded(subject: Subject, setting: Setting) -> Finding | None:
    """A guard in the denominators, such as + 1e-8, is a difference that is explained exactly, not a
    fault.
    """
    from numerics.check.specification import from_reference
    from numerics.objectives import reference

    objective = subject.objective
    if (
        objective.like is None
        or "guard" not in reference(objective.like).options
        or "guard" in objective.options
    ):
        return None
    for guard in GUARDS:
        options = {**objective.options, "guard": guard}
        guarded = from_reference(subject, reference(objective.like), options)
        if _agrees(subject, guarded, setting):
            message = f"equals {guarded.text}: its denominators carry a guard of {guard:g}"
            return Finding(NAME, "pass", guard, guard, ALLOWED, message=message)
    return None


def _agrees(subject: Subject, specification: Specification, setting: Setting) -> bool:
    return all(
        difference(subject, specification, subject.sample(*point)).agrees
        for point in setting.points()
    )


def _failure(
    subject: Subject,
    specification: Specification,
    setting: Setting,
    point: tuple[Shape, int, str],
    found: Difference,
) -> Finding:
    shape, seed, regime = point
    counterexample: Mapping[str, Any] = {
        "shape": dict(shape),
        "seed": seed,
        "regime": regime,
        "entry": None if found.entry is None else list(found.entry),
        "loss": found.mine,
        "specification": found.theirs,
        "guess": found.guess,
        "reproduction": value_lines(subject, shape, seed, regime, specification.expression),
    }
    what = "value" if found.entry is None else f"d loss / d {subject.wrt}{list(found.entry)}"
    message = (
        f"{what}: loss {found.mine:.6g}, {specification.text} {found.theirs:.6g}; {found.guess}"
    )
    near = nearest(subject, lambda candidate: _agrees(subject, candidate, setting))
    notes = (f"it would be equal with {near}",) if near else ()
    notes += _frozen(subject, specification, subject.sample(shape, seed, regime))
    return Finding(
        NAME,
        "fail",
        found.observed,
        found.allowed,
        found.allowed,
        counterexample,
        message=message,
        notes=notes,
    )


def _frozen(subject: Subject, specification: Specification, inputs: Inputs) -> tuple[str, ...]:
    """A note when loss and specification do not stop the gradient equally often: the likeliest
    cause.
    """
    mine, promised = frozen_in_both(subject, specification, inputs)
    if promised is None or len(mine) == len(promised):
        return ()
    listed = "; ".join(map(str, mine)) or "nothing"
    theirs = "; ".join(map(str, promised)) or "nothing"
    return (f"the loss freezes {listed}; the specification freezes {theirs}",)


PROPERTY = Property(
    name=NAME,
    families=frozenset({"policy", "kl", "logits"}),
    theorem=None,
    cost="two forwards and backwards per sample",
    judge=judge,
)
