"""An advantage depends on the rewards of its own prompt only, whatever the order of the batch.

A deviation of the whole batch is a convention (one scale for all advantages): the others may
shrink or grow together, and none of them may move against another one.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, credit, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "sees_its_own_group_only"
THEOREM = "decision_processes.a_baseline_adds_no_bias"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Change the rewards of one group; the others' advantages must not move."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-6)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    group = inputs["group"]
    if len(group.unique()) < 2:
        return None
    before, worst, told = credit(subject, inputs), 0.0, ""
    if not bool(torch.isfinite(before).all()):
        return None  # told by the properties of equal rewards and of a single response
    for number in group.unique().tolist():
        inside = group == number
        rewards = torch.where(inside, 3 * inputs["rewards"] + 5.0, inputs["rewards"])
        rewards[inside.nonzero()[0]] += 2.0
        after = credit(subject, {**inputs, "rewards": rewards})
        observed = _moved(before[~inside], after[~inside])
        if observed > worst:
            worst, told = observed, f"rewards of group {number} move advantages of other groups"
    return worst, told


def _moved(before: Tensor, after: Tensor) -> float:
    """How far they are from one positive multiple of what they were."""
    length = float((before * before).sum())
    factor = float((before * after).sum()) / length if length > 0 else 1.0
    return apart((factor if factor > 0 else 1.0) * before, after, floor=1e-6)


PROPERTY = Property(
    NAME, frozenset({"group_advantage", "group_policy"}), THEOREM, "a forward per group", judge
)
