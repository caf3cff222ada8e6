"""A controller raises the penalty above the target, lowers it below, and leaves it there.

The new weight is positive, no smaller for a larger divergence, and equal to the old one where the
divergence is its target. A quotient turned upside down, or a sign, drives the divergence away.
"""

from itertools import pairwise

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "steers_to_its_target"
QUOTIENTS = (0.05, 0.5, 0.9, 1.0, 1.1, 2.0, 20.0)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Divergences on both sides of the target."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    beta, target = float(inputs["beta"]), inputs["target"]
    found = [float(value(subject, {**inputs, "kl": q * target})) for q in QUOTIENTS]
    for q, new in zip(QUOTIENTS, found, strict=True):
        if not new > 0:
            return torch.inf, f"at {q:g} of the target the weight becomes {new:.6g}"
        if (new - beta) * (q - 1) < -1e-12 * beta or (q == 1.0 and abs(new / beta - 1) > 1e-9):
            return 1.0, f"at {q:g} of the target the weight goes from {beta:.6g} to {new:.6g}"
    falls = max(a - b for a, b in pairwise(found))
    if found[0] == found[-1]:
        return 1.0, "the weight does not depend on the divergence"
    return max(falls / beta, 0.0), "a larger divergence has a smaller weight"


PROPERTY = Property(
    NAME, frozenset({"penalty_controller"}), None, "seven forwards per sample", judge
)
