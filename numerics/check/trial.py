"""One trial of a property at many samples, and the finding that comes of it.

A trial takes a subject and a sample and returns None (it says nothing here) or an observed number
with a message; a number above what is allowed is a failure, and so is one that is not finite.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numerics.check.precision import WIDEST, coarsest, rounding
from numerics.check.reproduce import again_lines
from numerics.check.subject import Inputs, Subject
from numerics.check.widened import Widened
from numerics.errors import UnusableInput
from numerics.families import Shape
from numerics.properties import Finding, Setting

Observed = tuple[float, str] | None
SILENT = "nothing in this loss that it speaks of"
NARROW = "the loss computes below float64; judged without its rounding"
Trial = Callable[[Subject, dict[str, Tensor]], Observed]


def try_everywhere(
    name: str,
    subject: Subject,
    setting: Setting,
    trial: Trial,
    *,
    allowed: float = 1e-9,
    theorem: str | None = None,
    regimes: tuple[str, ...] = ("near", "moderate", "far"),
) -> Finding:
    """The first failure from the smallest sample on, else pass, or not_applicable.

    Where the loss computes below float64, what fails is judged again as if it computed in float64;
    where that does not run, what its rounding may do at the sample is allowed (see `precision`).
    """
    tried: list[_Judged] = []
    stopped = ""
    for point in setting.points():
        if point[2] not in regimes:
            continue
        try:
            found = _judged(subject, subject.sample(*point), trial, allowed)
        except UnusableInput as error:
            stopped = stopped or error.what
            continue
        if found is not None and _above(found.observed, found.bound):
            example = counterexample(name, subject, point, found.message)
            numbers = found.observed, found.bound, found.bound
            return Finding(name, "fail", *numbers, example, theorem, found.message)
        tried += [found] if found is not None else []
    coarse = next((f for f in tried if f.bound > max(WIDEST, allowed)), None)
    if coarse and not stopped:
        stopped = f"{coarse.message}; rounding alone may do as much ({coarse.bound:.0e})"
    if stopped:
        return Finding(name, "inconclusive", theorem=theorem, message=stopped)
    if not tried:
        return Finding(name, "not_applicable", theorem=theorem, message=SILENT)
    return _passed(name, tried, theorem)


@dataclass(frozen=True)
class _Judged:
    """One trial's number, what is allowed there, and whether a second look was needed."""

    observed: float
    message: str
    bound: float
    narrow: bool = False


def _passed(name: str, tried: list[_Judged], theorem: str | None) -> Finding:
    worst, bound = max(f.observed for f in tried), max(f.bound for f in tried)
    notes, said = (
        (NARROW,) * any(f.narrow for f in tried),
        f"at {len(tried)} sample{'s' * (len(tried) > 1)}",
    )
    return Finding(name, "pass", worst, bound, bound, None, theorem, said, notes)


def _above(observed: float, bound: float) -> bool:
    return not math.isfinite(observed) or observed > bound


def _judged(
    subject: Subject, inputs: dict[str, Tensor], trial: Trial, allowed: float
) -> _Judged | None:
    """A trial, and for a loss below float64 that fails it another without its rounding."""
    first = trial(subject, inputs)
    if first is None or not _above(first[0], allowed):
        return None if first is None else _Judged(*first, allowed)

    def both() -> tuple[Tensor, Tensor]:
        return value(subject, inputs), gradient(subject, inputs)

    if not coarsest(both):
        return _Judged(*first, allowed)
    try:
        with Widened():
            again = None if coarsest(both) else trial(subject, inputs)
    except UnusableInput:
        again = None
    if again:
        return _Judged(*again, allowed, True)
    return _Judged(*first, max(allowed, rounding(both)), True)


def counterexample(
    name: str, subject: Subject, point: tuple[Shape, int, str], message: str
) -> dict[str, object]:
    shape, seed, regime = point
    return {
        "shape": dict(shape),
        "seed": seed,
        "regime": regime,
        "guess": message,
        "reproduction": again_lines(subject, shape, seed, name),
    }


def value(subject: Subject, inputs: Inputs) -> Tensor:
    """The loss's result, cut from the graph."""
    return subject.value(inputs).detach()


def gradient(subject: Subject, inputs: Inputs, name: str | None = None) -> Tensor:
    """d (sum of the result) / d argument; zero where there is no path."""
    name = name or subject.wrt
    leaf = inputs[name].detach().requires_grad_()
    result = subject.value({**inputs, name: leaf}).sum()
    if not result.requires_grad:
        return torch.zeros_like(leaf)
    found = torch.autograd.grad(result, leaf, allow_unused=True)[0]
    return torch.zeros_like(leaf) if found is None else found


def apart(left: Tensor, right: Tensor, floor: float = 1e-12) -> float:
    """The largest difference relative to the largest entry; infinite when one is not finite."""
    sizes = largest(left), largest(right)
    if not all(map(math.isfinite, sizes)):
        return math.inf
    return largest(left - right) / max(*sizes, floor)


def largest(tensor: Tensor) -> float:
    """The largest |entry|, without a copy; NaN when one is NaN, 0 when there is none."""
    if not tensor.numel():
        return 0.0
    low, high = (float(end) for end in torch.aminmax(tensor.detach()))
    return max(-low, high)


def on_policy(subject: Subject, inputs: Inputs) -> dict[str, Tensor]:
    """The sample with logp_old = logp_ref = logp, and the same log-probabilities (or weights of
    one) of the engine that sampled, where the family has them. From logits at the constant
    `temperature`.
    """
    from numerics.families.logits import token_logp

    if "logp" in inputs:
        logp = inputs["logp"]
    else:
        temperature = float(subject.objective.constants.get("temperature", 1.0))
        logp = token_logp(inputs["logits"], inputs["labels"], temperature)
    same = {**inputs, "logp_old": logp.clone(), "logp_ref": logp.clone()}
    if "logp_rollout" in inputs:
        same["logp_rollout"] = logp.clone()
    if "rollout_is_weights" in inputs:
        same["rollout_is_weights"] = torch.ones_like(logp)
    return same


def credit(subject: Subject, inputs: Inputs) -> Tensor:
    """What each response is given for its rewards: the advantages themselves, or minus the
    on-policy gradient of a loss that computes them, beyond what it is without rewards.
    """
    if subject.family.held:
        return value(subject, inputs)
    given = on_policy(subject, inputs)
    none = gradient(subject, {**given, "rewards": torch.zeros_like(given["rewards"])})
    return none - gradient(subject, given)


def with_constants(subject: Subject, **changed: object) -> Subject:
    """The same loss with other values of some of its options."""
    constants = {**subject.objective.constants, **changed}
    return replace(subject, objective=replace(subject.objective, constants=constants))


def takes(subject: Subject, *names: str) -> bool:
    """Whether the loss takes all of these arguments."""
    return set(names) <= set(subject.mapped.ours)
