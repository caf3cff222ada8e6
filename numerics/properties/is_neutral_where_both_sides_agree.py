"""A logistic preference loss is log 2 where policy and reference agree, and its margin is odd.

Claim "logistic" (or like= dpo) makes log 2 a verdict; otherwise only this is judged: where a loss
takes a reference, shifting policy and reference of one response together leaves it unchanged, so
that the reference is used at all; losses without ref_w are not concerned. Of a reward model under
that claim it is asked that a level added to both scores leaves the loss.
"""

import math

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "is_neutral_where_both_sides_agree"
THEOREM = "language_models.partition_function_cancels_in_preferences"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Equal policies; then a shift of policy and reference together."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, allowed=1e-8)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if subject.family.name == "reward_model":
        return _of_scores(subject, inputs)
    if not takes(subject, "ref_w", "ref_l"):
        return None
    if "logistic" in subject.objective.claims:
        same = {**inputs, "ref_w": inputs["logp_w"].clone(), "ref_l": inputs["logp_l"].clone()}
        found = value(subject, same)
        off = float((found - math.log(2.0)).abs().max())
        if off > 1e-8:
            return off, f"{float(found.max()):.6g} where policy and reference agree, not log 2"
    moved = dict(inputs)
    for name in ("logp_w", "ref_w"):
        moved[name] = inputs[name] - 0.3
    observed = apart(value(subject, moved), value(subject, inputs))
    return (
        observed,
        "policy and reference shifted together change the loss: the margin is not theirs",
    )


def _of_scores(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    """Bradley-Terry sees the difference of two scores alone."""
    constants = subject.objective.constants
    if "logistic" not in subject.objective.claims or constants.get("margin"):
        return None
    found = value(subject, {**inputs, "score_l": inputs["score_w"].clone()})
    off = float((found - math.log(2.0)).abs().max())
    if off > 1e-8:
        return off, f"{float(found.max()):.6g} where both scores agree, not log 2"
    raised = {**inputs, **{name: inputs[name] + 2.0 for name in ("score_w", "score_l")}}
    return apart(value(subject, raised), value(subject, inputs)), (
        "two points more for both responses change the loss: it is not one of their difference"
    )


PROPERTY = Property(
    NAME, frozenset({"preference", "reward_model"}), THEOREM, "three forwards", judge
)
