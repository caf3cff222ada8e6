"""Normalised numbers have the mean and the deviation that they claim.

claims=["sample deviation"]: the squares of a group's advantages (of the numbers under the mask) sum
to n - 1; ["population deviation"]: to n. claims=["mean zero"]: the numbers sum to zero. Which of
the deviations is taken is a convention, so without a claim nothing is judged. Groups of equal
rewards and of one are left out.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "has_the_claimed_moments"
CORRECTIONS = {"sample deviation": 1, "population deviation": 0}
CENTRED = "mean zero"
ALLOWED, SCALE = 1e-3, 1e3  # at this scale no epsilon is seen beside the deviation


def judge(subject: Subject, setting: Setting) -> Finding:
    """Sums and squares of every group."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=ALLOWED)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claims = subject.objective.claims
    correction = next((CORRECTIONS[c] for c in claims if c in CORRECTIONS), None)
    if correction is None and CENTRED not in claims:
        return None
    worst: Observed = None
    for numbers in _groups(subject, inputs):
        size, squares = len(numbers), float((numbers**2).sum())
        found = []
        if CENTRED in claims:
            mean = abs(float(numbers.mean())) / max((squares / size) ** 0.5, 1e-300)
            found.append((mean, f"the mean of {size} numbers is {mean:.3g} of their size, not 0"))
        if correction is not None:
            wanted = size - correction
            told = f"the squares of {size} numbers sum to {squares:.6g}, not {wanted}"
            found.append((abs(squares / wanted - 1), told))
        worst = max([*found, worst or (0.0, "")])
    return worst


def _groups(subject: Subject, inputs: dict[str, Tensor]) -> list[Tensor]:
    """The results that are normalised together, where they are not all equal."""
    data = "x" if subject.family.name == "whiten" else "rewards"
    found = value(subject, {**inputs, data: SCALE * inputs[data]})
    if subject.family.name == "whiten":
        mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(found) > 0
        return [found[mask]] if int(mask.sum()) > 1 else []
    rows = found if found.dim() == 1 else found[:, 0]
    rewards, group = inputs["rewards"], inputs["group"]
    inside = [group == number for number in group.unique()]
    return [rows[m] for m in inside if float(rewards[m].max()) > float(rewards[m].min())]


PROPERTY = Property(NAME, frozenset({"group_advantage", "whiten"}), None, "one forward", judge)
