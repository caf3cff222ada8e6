"""A step against the gradient moves the values towards their targets; without a clip, every one.

Judged in sum over the tokens, since a loss may average values of a row first: the gradient along
value - returns is not negative, and no token's is zero where value_old = value.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "pulls_values_to_their_targets"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The sign of the gradient, and that every token has one without a clip."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "value", "returns") or subject.of not in (None, "value"):
        return None
    mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(inputs["mask"]) > 0
    off = inputs["value"] - inputs["returns"]
    along = float((gradient(subject, inputs, "value") * off * mask).sum())
    if along < 0:
        return 1.0, "a step against the gradient moves the values away from their targets"
    plain = gradient(subject, {**inputs, "value_old": inputs["value"].clone()}, "value")
    still = mask & (plain == 0) & (off != 0)
    if bool(still.any()):
        row, step = (int(i) for i in still.nonzero()[0])
        return 1.0, f"value[{row}, {step}] has no gradient though value_old = value"
    return 0.0, ""


PROPERTY = Property(
    NAME, frozenset({"value", "actor_critic"}), None, "two backwards per sample", judge
)
