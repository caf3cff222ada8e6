"""Constants of a surrogate, read from the loss itself: where its gradient in the ratio breaks.

One token, logp_ref = logp, and so large an advantage that no penalty is seen beside it. The
gradient of rho A in logp is rho A; the first log-ratio at which the loss's own gradient leaves that
line is a bound of a clip, found by bisection.
"""

import math

import torch

from numerics.check.frozen import record
from numerics.check.subject import Subject
from numerics.errors import UnusableInput
from numerics.families.logits import token_logp

SIZE = 1e9  # of the advantage
FARTHEST = 25.0  # log-ratios beyond which no break is looked for
DIGITS = 9  # a constant in a program is shorter than this


def fitted_constants(subject: Subject) -> dict[str, float | None]:
    """clip, clip_high, dual and log_ratio_clamp of the loss; an absent key means: none was seen."""
    if not {"logp_old", "adv"} <= set(subject.mapped.ours):
        return {}
    breaks = {
        side: _break(subject, sign, way)
        for side, sign, way in (("high", 1, 1), ("low", -1, -1), ("dual", -1, 1))
    }
    found: dict[str, float | None] = {}
    if breaks["high"] is not None:
        found["clip_high"] = _rounded(math.exp(breaks["high"]) - 1)
    if breaks["low"] is not None:
        found["clip"] = _rounded(1 - math.exp(breaks["low"]))
    if breaks["dual"] is not None:
        if breaks["dual"] > 5.0:  # no cap on a ratio is that large: a limit of the log-ratio
            found["log_ratio_clamp"] = _rounded(breaks["dual"])
        else:
            found["dual"] = _rounded(math.exp(breaks["dual"]))
    if found.get("clip_high") == found.get("clip"):
        found.pop("clip_high", None)
    return found


def _break(subject: Subject, sign: int, way: int) -> float | None:
    """The first log-ratio in one direction where the gradient stops growing as the ratio does."""
    start = _weight(subject, sign, 0.0)
    if not start:
        return None

    def follows(log_ratio: float) -> bool:
        return abs(_weight(subject, sign, log_ratio) / start - 1) < 1e-3

    inside, outside = 0.0, way * FARTHEST
    for step in (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, 4.0, 10.0, 20.5, FARTHEST):
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


def _weight(subject: Subject, sign: int, log_ratio: float) -> float:
    """A component of the gradient, divided by the ratio."""
    inputs = subject.sample({"B": 1, "T": 1, "V": 3}, 0, "near")
    logp = inputs["logp"] if "logp" in inputs else token_logp(inputs["logits"], inputs["labels"])
    inputs |= {"logp_old": logp - log_ratio, "logp_ref": logp.clone()}
    inputs["adv"] = torch.full_like(inputs["adv"], sign * SIZE)
    try:
        gradient = record(subject.function(inputs), inputs[subject.wrt]).gradients[0]
    except UnusableInput:
        return 0.0
    return 0.0 if gradient is None else float(gradient.flatten()[0]) / math.exp(log_ratio)


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
