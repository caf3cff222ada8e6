"""Whether masked positions may hold infinities and NaN, and whether an empty row changes the loss.

Facts about a loss and no verdicts: callers rarely pad with infinities, and whether a row without
tokens counts is a convention of the reduction. Zero times infinity is NaN, so a mask that
multiplies does not protect; a mask that selects does.
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import apart, gradient, takes, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "tells_what_padding_may_hold"
FILLERS = {"-inf": -math.inf, "NaN": math.nan}


def judge(subject: Subject, setting: Setting) -> Finding:
    """At the first sample that has padding."""
    if not takes(subject, "mask"):
        return Finding(NAME, "not_applicable", message="the loss takes no mask")
    for point in setting.points():
        inputs = subject.sample(*point)
        if not bool(inputs["mask"].all()):
            said = [f"{name}: {_held(subject, inputs, x)}" for name, x in FILLERS.items()]
            return Finding(NAME, "reported", message="; ".join([*said, _empty(subject, inputs)]))
    return Finding(NAME, "inconclusive", message="no sample had padding")


def _held(subject: Subject, inputs: dict[str, Tensor], filler: float) -> str:
    filled = {**inputs, "logp": torch.where(inputs["mask"] > 0, inputs["logp"], filler)}
    try:
        number, slope = value(subject, filled), gradient(subject, filled)
    except UnusableInput:
        return "refused"
    kept = number if number.dim() == 0 else number[inputs["mask"] > 0]
    if apart(kept, value(subject, inputs) if kept.dim() == 0 else kept) > 1e-12:
        return "spoils the value"
    return "harmless" if bool(torch.isfinite(slope).all()) else "spoils the gradient"


def _empty(subject: Subject, inputs: dict[str, Tensor]) -> str:
    more = {n: torch.cat([x, x[:1]]) for n, x in inputs.items()}
    more["mask"][-1] = 0.0
    try:
        before, after = value(subject, inputs), value(subject, more)
    except UnusableInput:
        return "an empty row is refused"
    if before.dim():
        return "an empty row is the caller's affair"
    if not bool(torch.isfinite(after)):
        return "an empty row gives no finite loss"
    same = apart(before, after) < 1e-12
    return "an empty row does not count" if same else "an empty row counts as a row"


PROPERTY = Property(NAME, frozenset({"policy", "kl"}), None, "a few forwards, once", judge)
