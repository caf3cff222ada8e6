"""A clamped penalty is flat beyond its clamp (claim "flat beyond 20": of the log-ratio).

Value and gradient both: a weight that multiplies the clamped term must not pass a gradient there.
A penalty in a policy's loss is asked with advantages of zero.
"""

import torch
from torch import Tensor

from numerics.check.claims import number
from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "is_flat_beyond_its_clamp"
CLAIM = "flat beyond "


def judge(subject: Subject, setting: Setting) -> Finding:
    """Put every token one nat beyond the clamp, on either side."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    if not claimed or not takes(subject, "logp_ref"):
        return None
    for sign in (1, -1):
        gap = sign * (number(claimed[0]) + 1.0)
        given = {**inputs, "logp_ref": inputs["logp"] + gap, "logp_old": inputs["logp"].clone()}
        if "adv" in given:
            given["adv"] = torch.zeros_like(given["adv"])
        largest = float(gradient(subject, given).abs().max())
        if largest > 0:
            return largest, f"at a log-ratio of {gap:g} the gradient is {largest:.3g}, not zero"
    return 0.0, ""


PROPERTY = Property(NAME, frozenset({"kl", "policy"}), None, "two backwards", judge)
