"""A group of equal rewards has advantages of exactly zero, in float32 too, and each one is bounded.

0.1 is no binary number, so a mean of equal rewards may miss them by a rounding error; divided by a
deviation near zero it is noise of the size of a signal. Rewards in [0, 1] give |A| of at most the
root of the group's size times two; anything beyond is a division by a vanishing deviation.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, credit, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "gives_equal_rewards_no_advantage"
THEOREM = "decision_processes.advantage_has_mean_zero"
NOISE = 1e-3


def judge(subject: Subject, setting: Setting) -> Finding:
    """Equal rewards in every group; then one reward of 1 among zeros."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=NOISE)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    group = inputs["group"]
    sizes = torch.stack([(group == number).sum() for number in group])
    several = sizes > 1
    for kind in (torch.float64, torch.float32):
        level = (0.1 + 0.7 * (group - group.min()) / 3).to(kind)
        found = credit(subject, {**inputs, "rewards": level})
        largest = float(found[several].abs().max())
        if not largest <= NOISE:
            return largest, f"equal rewards ({kind}) have an advantage of {largest:.6g}"
    first = torch.zeros_like(inputs["rewards"])
    for number in group.unique().tolist():
        first[(group == number).nonzero()[0]] = 1.0
    found = credit(subject, {**inputs, "rewards": first})
    if not subject.family.held:
        return 0.0, ""
    largest, bound = float(found[several].abs().max()), 2.0 * float(sizes.max()) ** 0.5
    if not largest <= bound:
        return largest, f"rewards of 0 and 1 have an advantage of {largest:.6g}"
    return 0.0, ""


PROPERTY = Property(
    NAME, frozenset({"group_advantage", "group_policy"}), THEOREM, "three forwards", judge
)
