"""A prompt with a single response has a finite advantage: the deviation of one number is no number.

Whether it is zero or the reward itself is a convention.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "stays_finite_in_a_group_of_one"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Give the first response a prompt of its own."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    group = inputs["group"].clone()
    group[0] = group.max() + 1
    try:
        found = value(subject, {**inputs, "group": group})
    except UnusableInput:
        return None  # a refusal is an answer
    if bool(torch.isfinite(found).all()):
        return 0.0, ""
    return torch.inf, f"a group of one has an advantage of {float(found.flatten()[0])}"


PROPERTY = Property(NAME, frozenset({"group_advantage"}), None, "one forward", judge)
