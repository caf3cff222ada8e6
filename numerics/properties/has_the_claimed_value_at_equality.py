"""Where both sides of a pair agree, the loss has the value that it claims.

claims=["0.5 at equality"]: one pair of equal scores, or of equal responses whose policy and
reference agree. It is log 2 for a logistic loss (0.693147), 1 / (4 beta^2) for IPO, a half for KTO,
log(1 + e^gamma) for SimPO: so the scale, a target and the sign of an offset are seen.
"""

from torch import Tensor

from numerics.check.claims import number
from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "has_the_claimed_value_at_equality"
CLAIM = " at equality"
PAIRS = {"preference": ("logp_w", "logp_l"), "reward_model": ("score_w", "score_l")}


def judge(subject: Subject, setting: Setting) -> Finding:
    """One pair; the claim is a number of six digits or more."""
    one = Setting(({"B": 1, "T": 3},), setting.seeds, ("near",))
    return try_everywhere(NAME, subject, one, _trial, allowed=1e-5)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = [c.removesuffix(CLAIM) for c in subject.objective.claims if c.endswith(CLAIM)]
    if not claimed:
        return None
    better, worse = PAIRS[subject.family.name]
    given = {**inputs, worse: inputs[better].clone()}
    if takes(subject, "ref_w", "ref_l"):
        given |= {"ref_w": inputs[better].clone(), "ref_l": inputs[better].clone()}
    if takes(subject, "mask_w", "mask_l"):
        given["mask_l"] = inputs["mask_w"].clone()
    wanted, found = number(claimed[0]), float(value(subject, given).sum())
    told = f"the loss of a pair of equal sides is {found:.6g}, claimed {wanted:g}"
    return abs(found - wanted) / max(abs(wanted), 1e-300), told


PROPERTY = Property(NAME, frozenset(PAIRS), None, "one forward per sample", judge)
