"""A squared loss of a margin is lowest at the margin that it claims.

claims=["lowest at 5"]: with h = log(pi(y_w) / ref(y_w)) - log(pi(y_l) / ref(y_l)) = 5 the gradient
in logp_w is zero, below it negative, above it positive. IPO's target is 1 / (2 beta). Of responses
[B], or of tokens [B,T] that are summed; with one pair, whose first tokens carry the margin.
"""

import torch
from torch import Tensor

from numerics.check.claims import number
from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "turns_at_the_claimed_margin"
CLAIM = "lowest at "


def judge(subject: Subject, setting: Setting) -> Finding:
    """The gradient at the claimed margin, beside those a tenth off it."""
    one = Setting(({"B": 1, "T": 1},), setting.seeds, ("near",))
    return try_everywhere(NAME, subject, one, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    if not claimed or not takes(subject, "ref_w", "ref_l"):
        return None
    target, step = number(claimed[0]), 0.1 * abs(number(claimed[0])) + 1e-3
    below, at, above = (_slope(subject, inputs, target + x) for x in (-step, 0.0, step))
    told = f"the slope at a margin of {target:g} is {at:.6g}; {below:.6g} below, {above:.6g} above"
    if not below < 0 < above:
        return 1.0, told
    return abs(at) / (above - below), told


def _slope(subject: Subject, inputs: dict[str, Tensor], margin: float) -> float:
    gap = torch.full_like(inputs["logp_w"], margin)
    given = {**inputs, "ref_w": inputs["logp_w"] - gap, "ref_l": inputs["logp_l"].clone()}
    return float(gradient(subject, given, "logp_w").sum())


PROPERTY = Property(NAME, frozenset({"preference"}), None, "three backwards", judge)
