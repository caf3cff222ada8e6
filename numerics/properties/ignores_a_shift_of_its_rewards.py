"""A constant added to every reward of a prompt changes no advantage; a factor scales all or none.

Adding to the rewards of one group leaves its advantages (every baseline of the group takes it off).
Multiplying large rewards, beside which no usual epsilon matters, by three multiplies the advantages
by three, or leaves them where they are divided by a deviation: a division by a variance, or an
epsilon of the wrong size, does neither.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "ignores_a_shift_of_its_rewards"
THEOREM = "decision_processes.a_baseline_adds_no_bias"
LARGE = 100.0  # times rewards of ordinary size: an epsilon beside the deviation is little
NORMALISED = 2e-3


def judge(subject: Subject, setting: Setting) -> Finding:
    """Shift one group, then scale all."""
    return try_everywhere(
        NAME, subject, setting, _trial, theorem=THEOREM, allowed=1e-6, regimes=("near", "moderate")
    )


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    rewards, group = inputs["rewards"], inputs["group"]
    before = value(subject, inputs)
    for number in group.unique().tolist():
        shifted = torch.where(group == number, rewards + 2.5, rewards)
        after = value(subject, {**inputs, "rewards": shifted})
        several = int((group == number).sum()) > 1
        length, along = float((before * before).sum()), float((before * after).sum())
        factor = along / length if along > 0 else 1.0  # a deviation of the batch may change
        moved = apart(factor * before[group == number], after[group == number], floor=1e-3)
        if several and moved > 1e-6:
            return moved, f"adding 2.5 to every reward of group {number} moves its advantages"
    before = value(subject, {**inputs, "rewards": LARGE * rewards})
    after = value(subject, {**inputs, "rewards": 3.0 * LARGE * rewards})
    scale = torch.maximum(before.abs(), after.abs()).clamp(min=1e-3)
    linear, free = ((factor * before - after).abs() / scale for factor in (3.0, 1.0))
    off = float(torch.minimum(linear, free).max())
    if off <= NORMALISED:
        return 0.0, ""
    return off, "three times the rewards give neither three times nor the same"


PROPERTY = Property(NAME, frozenset({"group_advantage"}), THEOREM, "a forward per group", judge)
