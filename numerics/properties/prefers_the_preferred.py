"""The loss falls when the preferred response's score or log-probability rises, and rises with the
rejected one's.

For losses of the margin with a monotone link (logistic, exponential, hinge); a squared loss such as
IPO's turns round at its target, so it is judged where the rejected response is ahead by a hair (at
equality a hinge may have its kink). A rejected response that does not move the value at all is a
fault; one whose gradient is stopped is not, unless `holds_nothing_fixed_as_claimed` says so.
A loss may push the rejected one away only, and be level in the preferred one there (APO-down).
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "prefers_the_preferred"
THEOREM = "language_models.logistic_loss_is_convex"
HAIR = 0.01
FLAT = 1e-6  # of the other side's gradient: no slope
PAIRS = {
    "preference": ("logp_w", "logp_l"),
    "reward_model": ("score_w", "score_l"),
    "token_scores": ("scores_w", "scores_l"),
}


def judge(subject: Subject, setting: Setting) -> Finding:
    """Signs of both gradients where the two sides are nearly equal."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    better, worse = PAIRS[subject.family.name]
    given = {**inputs, worse: inputs[better] + HAIR}
    if takes(subject, "ref_w", "ref_l"):
        given |= {"ref_w": inputs[better].clone(), "ref_l": inputs[better].clone()}
    if takes(subject, "mask_w", "mask_l"):
        given["mask_l"] = inputs["mask_w"].clone()
    if not bool(torch.isfinite(value(subject, given)).all()):
        return None
    up, down = gradient(subject, given, better), gradient(subject, given, worse)
    where = "where both sides are nearly equal"
    level = FLAT * float(down.abs().max())
    if float(up.max()) > level or not (
        float(up.sum()) < 0 or _moves(subject, given, better, worse)
    ):
        return 1.0, f"d loss / d {better} is {float(up.max()):.6g} {where}"
    if float(down.min()) < 0:
        return 1.0, f"d loss / d {worse} is {float(down.min()):.6g} {where}"
    raised = {**given, worse: given[worse] + HAIR}
    if not float(value(subject, raised).sum()) > float(value(subject, given).sum()):
        return 1.0, f"a larger {worse} does not raise the loss {where}"
    return 0.0, ""


def _moves(subject: Subject, given: dict[str, Tensor], better: str, worse: str) -> bool:
    """Away from equality the preferred response does matter."""
    there = {**given, worse: given[worse] + 2.0}
    raised = value(subject, {**there, better: there[better] + 1.0})
    return not torch.allclose(raised, value(subject, there), rtol=1e-6)


PROPERTY = Property(NAME, frozenset(PAIRS), THEOREM, "two backwards", judge)
