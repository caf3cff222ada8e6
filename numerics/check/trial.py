"""One trial of a property at many samples, and the finding that comes of it.

A trial takes a subject and a sample and returns None (it says nothing here) or an observed number
with a message; a number above what is allowed is a failure, and so is one that is not finite.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from numerics.check.load import ALIAS
from numerics.check.subject import Inputs, Subject
from numerics.errors import UnusableInput
from numerics.families import Shape
from numerics.properties import Finding, Setting

Observed = tuple[float, str] | None
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
    """The first failure from the smallest sample on, else pass, or not_applicable."""
    worst, tried, stopped = 0.0, 0, ""
    for shape, seed, regime in setting.points():
        if regime not in regimes:
            continue
        try:
            said = trial(subject, subject.sample(shape, seed, regime))
        except UnusableInput as error:
            stopped = stopped or error.what
            continue
        if said is None:
            continue
        observed, message = said
        tried += 1
        if not math.isfinite(observed) or observed > allowed:
            point = (shape, seed, regime)
            example = _counterexample(name, subject, point, message)
            return Finding(name, "fail", observed, allowed, allowed, example, theorem, message)
        worst = max(worst, observed)
    if stopped:
        return Finding(name, "inconclusive", theorem=theorem, message=stopped)
    if not tried:
        message = "nothing in this loss that it speaks of"
        return Finding(name, "not_applicable", theorem=theorem, message=message)
    return Finding(name, "pass", worst, allowed, allowed, None, theorem, f"at {tried} samples")


def _counterexample(
    name: str, subject: Subject, point: tuple[Shape, int, str], message: str
) -> dict[str, object]:
    shape, seed, regime = point
    module = (subject.objective.home or "my_losses").removeprefix(ALIAS)
    lines = [
        f"from numerics import check; from {module} import {subject.objective.name}",
        f"report = check({subject.objective.name}, only=({name!r},), "
        f"shapes=({dict(shape)!r},), seed={seed}, seeds=1)",
        "print(report.findings[0].message)",
    ]
    return {
        "shape": dict(shape),
        "seed": seed,
        "regime": regime,
        "guess": message,
        "reproduction": "\n".join(lines),
    }


def value(subject: Subject, inputs: Inputs) -> Tensor:
    """The loss's result, cut from the graph."""
    return subject.value(inputs).detach()


def gradient(subject: Subject, inputs: Inputs, name: str | None = None) -> Tensor:
    """d (sum of the result) / d argument; zero where there is no path."""
    name = name or subject.wrt
    leaf = inputs[name].detach().clone().requires_grad_()
    result = subject.value({**inputs, name: leaf}).sum()
    if not result.requires_grad:
        return torch.zeros_like(leaf)
    found = torch.autograd.grad(result, leaf, allow_unused=True)[0]
    return torch.zeros_like(leaf) if found is None else found


def apart(left: Tensor, right: Tensor, floor: float = 1e-12) -> float:
    """The largest difference relative to the largest entry; infinite when one is not finite."""
    if not bool(torch.isfinite(left).all() and torch.isfinite(right).all()):
        return math.inf
    if not left.numel():
        return 0.0
    scale = max(float(left.abs().max()), float(right.abs().max()), floor)
    return float((left - right).abs().max()) / scale


def on_policy(subject: Subject, inputs: Inputs) -> dict[str, Tensor]:
    """The sample with logp_old = logp_ref = logp."""
    from numerics.families.logits import token_logp

    logp = inputs["logp"] if "logp" in inputs else token_logp(inputs["logits"], inputs["labels"])
    return {**inputs, "logp_old": logp.clone(), "logp_ref": logp.clone()}


def takes(subject: Subject, *names: str) -> bool:
    """Whether the loss takes all of these arguments."""
    return set(names) <= set(subject.mapped.ours)
