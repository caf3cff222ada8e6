"""An advantage depends on the rewards of its own prompt only, whatever the order of the batch."""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, credit, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "sees_its_own_group_only"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Change the rewards of one group; the others' advantages must not move."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    group = inputs["group"]
    if len(group.unique()) < 2:
        return None
    before, worst, told = credit(subject, inputs), 0.0, ""
    for number in group.unique().tolist():
        inside = group == number
        rewards = torch.where(inside, 3 * inputs["rewards"] + 5.0, inputs["rewards"])
        rewards[inside.nonzero()[0]] += 2.0
        after = credit(subject, {**inputs, "rewards": rewards})
        observed = apart(before[~inside], after[~inside], floor=1e-6)
        if observed > worst:
            worst, told = observed, f"rewards of group {number} move advantages of other groups"
    return worst, told


PROPERTY = Property(
    NAME, frozenset({"group_advantage", "group_policy"}), None, "a forward per group", judge
)
