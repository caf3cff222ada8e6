"""A value stops being pulled exactly where its clip ends (claim "value clip 0.2").

One token whose target is far off: while it has moved by less than 0.2 from its old value it is
pulled towards the target, and beyond that the clipped error is the larger one and flat. Asked on
both sides. Under "value clip none" it is pulled everywhere.
"""

import torch
from torch import Tensor

from numerics.check.claims import number
from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "clips_values_where_claimed"
CLAIM, NONE = "value clip ", "none"
HAIR, FAR = 1e-3, 10.0  # of the clip's width
SMALL = 1e-9  # of the pull inside


def judge(subject: Subject, setting: Setting) -> Finding:
    """A hair inside and outside of the bounds, and far outside."""
    one = Setting(({"B": 1, "T": 1},), setting.seeds[:1], ("near",))
    return try_everywhere(NAME, subject, one, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    if not claimed or not takes(subject, "value", "returns") or subject.of is not None:
        return None
    width = 1.0 if claimed[0] == NONE else number(claimed[0])
    for sign in (1.0, -1.0):
        inside, outside, far = (
            _pull(subject, inputs, sign, width, step) for step in (1 - HAIR, 1 + HAIR, FAR / 2)
        )
        told = f"moved by {sign * width:g}: the pull is {inside:.3g} before it, {outside:.3g} after"
        if not inside > 0:
            return 1.0, told
        flat = max(abs(outside), abs(far)) <= SMALL * inside
        if flat == (claimed[0] == NONE):
            return 1.0, told
    return 0.0, ""


def _pull(
    subject: Subject, inputs: dict[str, Tensor], sign: float, width: float, steps: float
) -> float:
    """-d loss / d value towards a target ten widths away, after a move of some widths."""
    old = torch.zeros_like(inputs["value"])
    given = {
        **inputs,
        "value_old": old,
        "value": old + sign * steps * width,
        "returns": old + sign * FAR * width,
    }
    return -sign * float(gradient(subject, given, "value").sum())


FAMILIES = frozenset({"value", "actor_critic"})
PROPERTY = Property(NAME, FAMILIES, None, "six backwards of one token", judge)
