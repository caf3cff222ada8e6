"""Inputs that are declared frozen receive no gradient (claim "frozen: adv", one claim an input).

Most real losses differentiate advantages and old log-probabilities and leave it to the caller to
hold them; so this is a fault only where it was promised.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "leaves_declared_inputs_frozen"
CLAIM = "frozen: "
FAMILIES = frozenset({"policy", "kl", "logits", "value", "preference"})


def judge(subject: Subject, setting: Setting) -> Finding:
    """Differentiate in each input that is declared frozen."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    names = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    for name in names:
        if not takes(subject, name):
            what = "a claim names no input of the loss"
            raise UnusableInput(what, subject.objective.where, "an argument that it takes", name)
        largest = float(gradient(subject, inputs, name).abs().max())
        if largest > 0:
            return largest, f"{name} is declared frozen and receives a gradient of {largest:.3g}"
    return (0.0, "") if names else None


PROPERTY = Property(NAME, FAMILIES, None, "one backward per input", judge)
