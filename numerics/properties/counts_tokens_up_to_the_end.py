"""A response's mask is 1 up to and including its first end token, and 0 behind it.

The end token was sampled like the others, so it counts: a policy that is not trained on it does not
learn to stop. A row without an end counts whole. Under the claim "without the end" the first end
token is left out.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "counts_tokens_up_to_the_end"
WITHOUT = "without the end"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare every position."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    ends = inputs["is_end"]
    behind = (ends.cumsum(-1) - ends) > 0
    wanted = (~behind).double()
    if WITHOUT in subject.objective.claims:
        wanted = wanted * (1 - ends)
    found = value(subject, inputs)
    wrong = (found - wanted).abs()
    if not bool(wrong.any()):
        return 0.0, ""
    row, step = (int(i) for i in wrong.nonzero()[0])
    end = ends[row].nonzero().flatten().tolist()[:1]
    said = f"ends at {end[0]}" if end else "has no end"
    return 1.0, f"row {row} {said}; its mask at {step} is {float(found[row, step]):g}"


PROPERTY = Property(NAME, frozenset({"completion_mask"}), None, "one forward", judge)
