"""Inputs that are declared frozen receive no gradient (claim "frozen: adv", one claim an input).

Most real losses differentiate advantages and old log-probabilities and leave it to the caller to
hold them; so this is a fault only where it was promised.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "leaves_declared_inputs_frozen"
CLAIM = "frozen: "
FAMILIES = frozenset({"policy", "kl", "logits", "value", "preference"})


def judge(subject: Subject, setting: Setting) -> Finding:
    """Differentiate in each input that is declared frozen."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    names = [c.removeprefix(CLAIM) for c in subject.objective.claims if c.startswith(CLAIM)]
    taken = [name for name in names if takes(subject, name)]
    for name in taken:
        largest = float(gradient(subject, inputs, name).abs().max())
        if largest > 0:
            return largest, f"{name} is declared frozen and receives a gradient of {largest:.3g}"
    return (0.0, "") if taken else None


PROPERTY = Property(NAME, FAMILIES, None, "one backward per input", judge)
