"""Near a ratio of one, a token that became likelier weighs no less than before.

The weight -(d loss / d logp) / A of one token at rho = 1 + h and at rho = 1 - h. An importance
weight exp(logp - logp_old) grows with the ratio, whether it carries the gradient or is held fixed;
exp(logp_old - logp) falls, and corrects the sampling the wrong way round. A loss may turn it round
for one sign of A on purpose, so it is at fault where the weight falls for both. Under the claim
"weighed by the ratio" it must grow like the ratio: d log weight / d log rho = 1.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "grows_with_the_ratio"
THEOREM = "trust_regions.surrogate_agrees_to_first_order"
STEP = 1e-4  # inside every clip
CLAIM, NEAR = "weighed by the ratio", 1e-3
SIZE = 1e6  # of the advantage, so that no penalty is seen beside it


def judge(subject: Subject, setting: Setting) -> Finding:
    """Three ratios at one token, for both signs of A."""
    one = Setting(({"B": 1, "T": 1, "V": 3},), (0,), ("near",))
    return try_everywhere(NAME, subject, one, _trial, theorem=THEOREM, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv", "logp_old", "logp") or subject.of is not None:
        return None
    slopes = [_slope(subject, inputs, sign) for sign in (1, -1)]
    if CLAIM in subject.objective.claims:
        off = max(1.0 if slope is None else abs(slope - 1) for slope in slopes)
        told = ", ".join("none" if slope is None else f"{slope:.4g}" for slope in slopes)
        return max(off - NEAR, 0.0), f"d log weight / d log rho is {told} for A > 0 and < 0, not 1"
    if None in slopes:
        return None
    if all(slope is not None and slope < -0.5 for slope in slopes):
        return 1.0, "a token that became likelier weighs less: the ratio is turned round"
    return 0.0, ""


def _slope(subject: Subject, inputs: dict[str, Tensor], sign: int) -> float | None:
    """d log weight / d log rho at rho = 1, where the token has a weight on both sides."""
    low, high = (_weight(subject, inputs, sign, step) for step in (-STEP, STEP))
    if not low > 0 or not high > 0:
        return None
    return (high - low) / (high + low) / STEP


def _weight(subject: Subject, inputs: dict[str, Tensor], sign: int, gap: float) -> float:
    given = {**inputs, "logp_old": inputs["logp"] - gap, "logp_ref": inputs["logp"].clone()}
    given["adv"] = torch.full_like(inputs["adv"], sign * SIZE)
    none = gradient(subject, {**given, "adv": 0 * given["adv"]})
    return -float((gradient(subject, given) - none).sum()) / (sign * SIZE)


PROPERTY = Property(
    NAME, frozenset({"policy", "actor_critic"}), THEOREM, "eight backwards of one token", judge
)
