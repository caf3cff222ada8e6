"""A leave-one-out baseline does not see the response's own reward (claim "leave-one-out").

A[i] - r[i] is the same whatever r[i] is: then the baseline adds no bias. The group's mean, by
contrast, holds r[i] / K.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "leaves_itself_out_as_claimed"
THEOREM = "decision_processes.a_baseline_adds_no_bias"
CLAIM = "leave-one-out"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Change one reward at a time."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if CLAIM not in subject.objective.claims:
        return None
    group, rewards = inputs["group"], inputs["rewards"]
    before, worst, told = _first(value(subject, inputs)), 0.0, ""
    for i in range(len(rewards)):
        if int((group == group[i]).sum()) < 2:
            continue
        raised = rewards.clone()
        raised[i] += 1.0
        change = float((_first(value(subject, {**inputs, "rewards": raised})) - before)[i])
        off = apart(torch.tensor(change), torch.tensor(1.0))
        if off > worst:
            worst, told = off, f"a reward higher by 1 raises its own advantage by {change:.6g}"
    return worst, told


def _first(found: Tensor) -> Tensor:
    return found if found.dim() == 1 else found[:, 0]


PROPERTY = Property(NAME, frozenset({"group_advantage"}), THEOREM, "a forward per row", judge)
