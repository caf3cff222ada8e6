"""The margin of a logistic loss changes its sign when the pair is swapped (claim "logistic").

For one pair sigma(m) + sigma(-m) = 1, so exp(-L(w, l)) + exp(-L(l, w)) = 1: a margin that treats
the two sides in two ways (one mask, one reference, an offset) breaks it. Not asked with a constant
`label_smoothing` or `margin`.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting
from numerics.properties.smooths_its_labels import swapped

NAME = "turns_round_with_its_pair"
THEOREM = "language_models.partition_function_cancels_in_preferences"
OFFSETS = ("label_smoothing", "margin", "gamma")


def judge(subject: Subject, setting: Setting) -> Finding:
    """One pair at a time, both ways round."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    constants = subject.objective.constants
    if "logistic" not in subject.objective.claims or any(constants.get(n) for n in OFFSETS):
        return None
    worst, told = 0.0, ""
    for row in range(len(inputs[subject.wrt])):
        one = {n: x[row : row + 1] for n, x in inputs.items()}
        both = value(subject, one), value(subject, swapped(one))
        total = float(torch.stack([(-x).exp().sum() for x in both]).sum())
        if abs(total - 1) > worst:
            worst = abs(total - 1)
            told = f"pair {row}: exp(-L) of both orders adds up to {total:.6g}, not 1"
    return worst, told


PROPERTY = Property(
    NAME, frozenset({"preference", "reward_model"}), THEOREM, "two forwards per pair", judge
)
