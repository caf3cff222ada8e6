"""A pair that is well apart pulls no more: the gradient vanishes as the margin grows.

claims=["saturates"]: logistic, exponential and hinge losses of a margin, and those that pass each
response through a sigmoid. The rejected side is lowered and the preferred one raised until the
margin is a thousand; each gradient is compared with its own where both sides are equal. A loss
whose link was left out is linear and pulls for ever. claims=["saturates: logp_l"] asks of one
argument, where the other has a term of its own (ORPO's likelihood).
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "saturates_as_claimed"
CLAIM = "saturates"
APART = 1000.0
PAIRS = {"preference": ("logp_w", "logp_l"), "reward_model": ("score_w", "score_l")}


def judge(subject: Subject, setting: Setting) -> Finding:
    """The gradients of both sides, far apart beside equal."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-6, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    said = [c for c in subject.objective.claims if c == CLAIM or c.startswith(f"{CLAIM}:")]
    if not said:
        return None
    better, worse = PAIRS[subject.family.name]
    asked = said[0].partition(": ")[2] or None
    if asked not in (None, better, worse):
        what = "a claim names no side of the pair"
        raise UnusableInput(what, subject.objective.where, f"{better} or {worse}", asked)
    equal = {**inputs, worse: inputs[better].clone()}
    apart = {**inputs, worse: inputs[better] - APART}
    if takes(subject, "ref_w", "ref_l"):  # they carry the preferred side's half of the margin
        equal |= {"ref_w": inputs[better].clone(), "ref_l": inputs[better].clone()}
        apart |= {"ref_w": inputs[better] - APART, "ref_l": inputs[better].clone()}
    for name in (better, worse) if asked is None else (asked,):
        before, after = (float(gradient(subject, x, name).abs().max()) for x in (equal, apart))
        if before and not after <= 1e-6 * before:
            return after / before, (
                f"the gradient in {name} is {after:.3g} at a margin of {APART:g} and {before:.3g} "
                "where both sides are equal"
            )
    return 0.0, ""


PROPERTY = Property(NAME, frozenset(PAIRS), None, "four backwards per sample", judge)
