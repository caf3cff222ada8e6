"""Constants of a loss, read from the loss itself: where its gradient breaks.

One token. For a surrogate logp_ref = logp, and so large an advantage that no penalty is seen beside
it: the gradient of rho A in logp is rho A; the first log-ratio at which the loss's own gradient
leaves that line is a bound of a clip, found by bisection. For a value loss the target is far away
and the gradient of (V - R)^2 is followed in V.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch

from numerics.check.fitting import shortest
from numerics.check.frozen import record
from numerics.check.subject import Subject
from numerics.errors import UnusableInput
from numerics.families.logits import token_logp

SIZE = 1e9  # of the advantage, and of the target of a value
FARTHEST = 25.0  # log-ratios beyond which no break is looked for
STEPS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0, 10.0, 20.5, FARTHEST)
NEARBY = 1e-5  # no clip is that narrow
FINE, COARSE = 1e-8, 1e-3  # how closely a line is followed: exactly, or smooth and in float32
LARGEST_CAP = 5.0  # of a log-ratio: beyond it is a limit of the log-ratio, no cap of the ratio


@dataclass(frozen=True)
class Breaks:
    """Where the gradient leaves its line, as log-ratios (the first three) and as a change of a
    value; None: nowhere.
    """

    high: float | None = None
    low: float | None = None
    dual: float | None = None
    value: float | None = None

    def readings(self) -> list[dict[str, float | None]]:
        """The constants that the breaks may stand for, by the names of our options: limits of the
        ratio, and limits of its logarithm.
        """
        common: dict[str, float | None] = {}
        limits = [x for x in (self.high, self.low, self.dual) if x and abs(x) > LARGEST_CAP]
        high, low, dual = (None if x in limits else x for x in (self.high, self.low, self.dual))
        if limits:
            common["log_ratio_clamp"] = _rounded(abs(limits[-1]))
        if dual is not None:
            common["dual"] = _rounded(math.exp(dual))
        if self.value is not None:
            common["value_limit"] = _rounded(self.value)
        ratio, logarithm = dict(common), dict(common)
        if high is not None:
            ratio |= {"clip_high": _rounded(math.exp(high) - 1)}
            ratio |= {"highest": _rounded(math.exp(high))}
            logarithm["clip_high"] = _rounded(high)
        if low is not None:
            ratio |= {"clip": _rounded(1 - math.exp(low))}
            ratio |= {"lowest": _rounded(math.exp(low))}
            logarithm["clip"] = _rounded(-low)
        return [ratio] if ratio == logarithm else [ratio, logarithm]


def breaks_of(subject: Subject) -> Breaks:
    """The breaks of a loss; none for a family that has neither ratios nor values."""
    ours = set(subject.mapped.ours)
    found = Breaks()
    if {"logp_old"} <= ours and ours & {"adv", "rewards"}:
        found = Breaks(
            *(
                _break(_ratio_weight(subject, sign), way)
                for sign, way in ((1, 1), (-1, -1), (-1, 1))
            )
        )
    if {"value", "value_old", "returns"} <= ours:
        limit = _break(_value_weight(subject), 1)
        found = Breaks(found.high, found.low, found.dual, limit)
    return found


def _break(weight: Callable[[float], float], way: int) -> float | None:
    """The first point in one direction where the weight is no longer what it is at zero."""
    start = weight(0.0)
    if not start:
        return None

    close = FINE if abs(weight(way * NEARBY) / start - 1) < FINE else COARSE

    def follows(point: float) -> bool:
        return abs(weight(point) / start - 1) < close

    inside, outside = 0.0, way * FARTHEST
    for step in STEPS:
        if follows(way * step):
            inside = way * step
        else:
            outside = way * step
            break
    else:
        return None
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if follows(middle) else (inside, middle)
    return inside


def _ratio_weight(subject: Subject, sign: int) -> Callable[[float], float]:
    """A component of the gradient, divided by the ratio, as a function of the log-ratio."""
    grouped = "rewards" in subject.mapped.ours

    def weight(log_ratio: float) -> float:
        inputs = subject.sample({"B": 2 if grouped else 1, "T": 1, "V": 3}, 0, "near")
        logp = (
            inputs["logp"] if "logp" in inputs else token_logp(inputs["logits"], inputs["labels"])
        )
        inputs |= {"logp_old": logp - log_ratio, "logp_ref": logp.clone()}
        if grouped:  # one group of two: the first row's advantage has this sign
            inputs["group"] = torch.zeros_like(inputs["group"])
            inputs["rewards"] = torch.tensor([sign * SIZE, 0.0], dtype=torch.float64)
        else:
            inputs["adv"] = torch.full_like(inputs["adv"], sign * SIZE)
        return _first_slope(subject, inputs, subject.family.differentiated) / math.exp(log_ratio)

    return weight


def _value_weight(subject: Subject) -> Callable[[float], float]:
    """The gradient of a value over its distance to a target far above, as a function of how far it
    has moved.
    """

    def weight(moved: float) -> float:
        inputs = subject.sample({"B": 1, "T": 1}, 0, "near")
        zero = torch.zeros_like(inputs["value"])
        inputs |= {"value_old": zero, "returns": zero + SIZE, "value": zero + moved}
        return _first_slope(subject, inputs, "value") / (moved - SIZE)

    return weight


def _first_slope(subject: Subject, inputs: Mapping[str, torch.Tensor], name: str) -> float:
    try:
        gradient = record(subject.function(inputs, name), inputs[name]).gradients[0]
    except UnusableInput:
        return 0.0
    return 0.0 if gradient is None else float(gradient.flatten()[0])


def _rounded(number: float) -> float:
    return shortest(number) if number else 0.0
