"""A margin m between two scores shifts the logit: loss(score_w, m) = loss(score_w - m, 0).

For reward models with a constant `margin` that is not zero.
"""

from dataclasses import replace

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "shifts_the_logit_by_its_margin"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the two ways to ask for a margin."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    margin = subject.objective.constants.get("margin")
    if not margin:
        return None
    constants = {**subject.objective.constants, "margin": 0.0}
    plain = replace(subject, objective=replace(subject.objective, constants=constants))
    shifted = value(plain, {**inputs, "score_w": inputs["score_w"] - margin})
    return apart(value(subject, inputs), shifted), "the margin is not a shift of the logit"


PROPERTY = Property(NAME, frozenset({"reward_model"}), None, "two forwards", judge)
