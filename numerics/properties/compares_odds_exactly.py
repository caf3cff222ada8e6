"""A loss of odds, p / (1 - p), pulls a likely response by exactly 1 / (1 - p).

Both responses have one (average) log-probability, log p = -0.01 and then -1: the log-odds are
equal, so the pull on the rejected one differs by 1 / (1 - p) alone. A constant that guards
log(1 - p), or a subtraction that loses digits, is off near p = 1. Asked of losses without reference
whose pull comes within a tenth of it, and of those that claim "odds".
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "compares_odds_exactly"
LIKELY, USUAL = -0.01, -1.0
CLAIM, NEAR = "odds", 0.1


def judge(subject: Subject, setting: Setting) -> Finding:
    """The pull at two probabilities."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-7, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if takes(subject, "ref_w") or not takes(subject, "logp_w", "logp_l"):
        return None
    pulls = []
    for level in (LIKELY, USUAL):
        same = {n: torch.full_like(inputs[n], level) for n in ("logp_w", "logp_l")}
        pulls.append(float(gradient(subject, {**inputs, **same}, "logp_l").sum()))
    if not pulls[1]:
        return None
    wanted = math.expm1(USUAL) / math.expm1(LIKELY)
    off = abs(pulls[0] / pulls[1] / wanted - 1)
    if off > NEAR and CLAIM not in subject.objective.claims:
        return None
    return off, (
        f"between p = exp({LIKELY:g}) and exp({USUAL:g}) the pull grows by "
        f"{pulls[0] / pulls[1]:.6g}; that of the odds by {wanted:.6g}"
    )


PROPERTY = Property(NAME, frozenset({"preference"}), None, "two backwards", judge)
