"""A margin m between two scores shifts the logit: loss(score_w, m) = loss(score_w - m, 0).

For reward models with a constant `margin` that is not zero. Losses of log-probabilities scale
theirs by beta, so of a positive `margin` or `gamma` it is only asked that it makes the loss larger.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value, with_constants
from numerics.properties import Finding, Property, Setting

NAME = "shifts_the_logit_by_its_margin"
MONOTONE = {"logistic", "hinge"}


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the two ways to ask for a margin."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if subject.family.name == "preference":
        return _harder(subject, inputs)
    margin = subject.objective.constants.get("margin")
    if not margin:
        return None
    plain = with_constants(subject, margin=0.0)
    shifted = value(plain, {**inputs, "score_w": inputs["score_w"] - margin})
    return apart(value(subject, inputs), shifted), "the margin is not a shift of the logit"


def _harder(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    constants = subject.objective.constants
    name = next((n for n in ("margin", "gamma") if constants.get(n)), None)
    if name is None or float(constants[name]) < 0 or not MONOTONE & set(subject.objective.claims):
        return None
    plain, most = value(with_constants(subject, **{name: 0.0}), inputs), value(subject, inputs)
    eased = float((plain - most).max())
    return max(eased, 0.0), f"{name}={constants[name]:g} makes the loss smaller, by {eased:.4g}"


PROPERTY = Property(NAME, frozenset({"reward_model", "preference"}), None, "two forwards", judge)
