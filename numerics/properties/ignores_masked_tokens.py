"""What stands in masked positions does not matter: neither the value nor any gradient sees it.

The log-probabilities, advantages and logits where mask = 0 are replaced by other finite numbers.
The value and the gradient at response tokens must not change, and the gradient at masked tokens
must be zero.
"""

import torch
from torch import Tensor

from numerics.check.frozen import record
from numerics.check.reproduce import masked_lines
from numerics.check.subject import Inputs, Subject
from numerics.families import Shape
from numerics.properties import Finding, Property, Setting

NAME = "ignores_masked_tokens"
ALLOWED = 1e-12


def judge(subject: Subject, setting: Setting) -> Finding:
    """Refill the padding of every sample that has some."""
    if "mask" not in subject.mapped.ours:
        return Finding(NAME, "not_applicable", message="the loss takes no mask")
    worst, tried = 0.0, 0
    for shape, seed, regime in setting.points():
        inputs = subject.sample(shape, seed, regime)
        if bool(inputs["mask"].all()):
            continue
        tried += 1
        observed, message = _change(subject, inputs)
        worst = max(worst, observed)
        if observed > ALLOWED:
            return _failure(subject, inputs, (shape, seed, regime), observed, message)
    if not tried:
        return Finding(NAME, "inconclusive", message="no sample had padding")
    return Finding(
        NAME, "pass", worst, ALLOWED, ALLOWED, message=f"{tried} padded samples, relative change"
    )


def refilled(inputs: Inputs, names: tuple[str, ...]) -> dict[str, Tensor]:
    """The inputs with other finite numbers wherever mask = 0."""
    rng, pad = torch.Generator().manual_seed(5), inputs["mask"] == 0
    changed = dict(inputs)
    for name in names:
        value = inputs[name]
        if name != "mask" and value.is_floating_point() and value.dim() >= 2:
            other = -0.1 - 3 * torch.rand(value.shape, generator=rng, dtype=value.dtype)
            changed[name] = torch.where(
                pad.view(*pad.shape, *[1] * (value.dim() - 2)), other, value
            )
    return changed


def _refillable(subject: Subject, inputs: Inputs) -> tuple[str, ...]:
    return tuple(
        name
        for name in subject.mapped.ours
        if name != "mask" and inputs[name].is_floating_point() and inputs[name].dim() >= 2
    )


def _change(subject: Subject, inputs: Inputs) -> tuple[float, str]:
    """The largest relative change and where it is."""
    values, gradients = [], []
    for filled in (inputs, refilled(inputs, subject.mapped.ours)):
        recorded = record(
            lambda point, f=filled: _masked_scalar(subject, f, point), filled[subject.wrt]
        )
        gradient = recorded.gradients[0]
        values.append(recorded.value.item())
        gradients.append(torch.zeros_like(filled[subject.wrt]) if gradient is None else gradient)
    scale = max(abs(values[0]), 1e-3)
    value_change = abs(values[1] - values[0]) / scale
    largest = float(gradients[0].abs().max()) or 1.0
    leak = _at(inputs["mask"] == 0, gradients[0]) / largest
    moved = _at(inputs["mask"] != 0, gradients[1] - gradients[0]) / largest
    told = {
        f"the value changes from {values[0]:.6g} to {values[1]:.6g}": value_change,
        f"masked tokens receive a gradient, {leak:.3g} of the largest": leak,
        f"the gradient of response tokens changes by {moved:.3g} of the largest": moved,
    }
    message = max(told, key=told.__getitem__)
    return told[message], message


def _masked_scalar(subject: Subject, inputs: Inputs, point: Tensor) -> Tensor:
    """A per-token result is judged where mask = 1 only: its caller masks it."""
    result = subject.value({**inputs, subject.wrt: point})
    return result if result.dim() == 0 else (result * inputs["mask"]).sum()


def _at(where: Tensor, gradient: Tensor) -> float:
    selected = gradient[where]
    return float(selected.abs().max()) if selected.numel() else 0.0


def _failure(
    subject: Subject, inputs: Inputs, point: tuple[Shape, int, str], observed: float, message: str
) -> Finding:
    shape, seed, regime = point
    entry = [int(i) for i in (inputs["mask"] == 0).nonzero()[0]]
    entry += [0] * (inputs[subject.wrt].dim() - 2)
    counterexample = {
        "shape": dict(shape),
        "seed": seed,
        "regime": regime,
        "entry": entry,
        "guess": message,
        "reproduction": masked_lines(subject, shape, seed, regime, _refillable(subject, inputs)),
    }
    return Finding(NAME, "fail", observed, ALLOWED, ALLOWED, counterexample, message=message)


PROPERTY = Property(
    name=NAME,
    families=frozenset({"policy", "kl", "logits"}),
    theorem=None,
    cost="two forwards and backwards per sample",
    judge=judge,
)
