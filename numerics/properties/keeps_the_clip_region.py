"""The weight -(d loss / d logp) / A on the grid (sign of A) x (ratio from 0.25 to 30).

Every surrogate of the ratio obeys: the weight is never negative; where a token's ratio moved
against its advantage (rho > 1, A < 0 or rho < 1, A > 0) and no farther than 1.5, the weight is not
zero, so that the mistake can be undone; and a loss that is flat at rho = 30 for A > 0 is flat at
rho = 1/4 for A < 0 too (a clip has two sides). One token at a time, the others held on-policy.
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "keeps_the_clip_region"
RATIOS = (0.25, 0.4, 0.67, 0.9, 1.0, 1.1, 1.5, 2.5, 6.0, 30.0)
INSIDE = 0.1  # of the log-ratio: farther out a loss may pull the ratio back
SIZE = 1e6  # of the advantage, so that no penalty is seen beside it


def judge(subject: Subject, setting: Setting) -> Finding:
    """Walk the grid at one token."""
    one = Setting(({"B": 1, "T": 1, "V": 3},), (0,), ("near",))
    return try_everywhere(NAME, subject, one, _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    grouped = subject.family.name == "group_policy"
    if not takes(subject, "logp_old", "logp") or subject.of is not None:
        return None
    if not grouped and not takes(subject, "adv"):
        return None
    grid = {(s, r): _weight(subject, inputs, s, r) for s in (1, -1) for r in RATIOS}
    if not grid[1, 1.0] and not grid[-1, 1.0]:
        return None  # advantages are normalised over a batch of one
    for (sign, ratio), weight in grid.items():
        place = f"A {'>' if sign > 0 else '<'} 0, rho = {ratio:g}"
        if weight < -1e-6 and sign * math.log(ratio) <= INSIDE:
            return 1.0, f"{place}: the weight is {weight:.6g}, the gradient points the wrong way"
        if sign * math.log(ratio) < 0 and 0.4 <= ratio <= 1.5 and not weight:
            return 1.0, f"{place}: no gradient, though the ratio moved against the advantage"
    if not grid[1, 30.0] and grid[-1, 0.25]:
        return 1.0, "flat for A > 0 at rho = 30, not flat for A < 0 at rho = 1/4"
    return 0.0, ""


def _weight(subject: Subject, inputs: dict[str, Tensor], sign: int, ratio: float) -> float:
    if subject.family.name == "group_policy":
        return _weight_in_a_pair(subject, sign, ratio)
    logp = inputs["logp"]
    given = {**inputs, "logp_old": logp - math.log(ratio), "logp_ref": logp.clone()}
    if "logp_rollout" in inputs:
        given["logp_rollout"] = given["logp_old"].clone()
    given["adv"] = torch.full_like(inputs["adv"], sign * SIZE)
    none = gradient(subject, {**given, "adv": 0 * given["adv"]})
    return -float((gradient(subject, given) - none).sum()) / (sign * SIZE)


def _weight_in_a_pair(subject: Subject, sign: int, ratio: float) -> float:
    """The same of the first of two responses to one prompt, which is the better or the worse."""
    x = subject.sample({"B": 2, "T": 1, "V": 3}, 0, "near")
    logp = x["logp"]
    x |= {"logp_old": logp.clone(), "logp_ref": logp.clone(), "mask": torch.ones_like(logp)}
    x["logp_old"][0] -= math.log(ratio)
    x |= {"group": torch.zeros_like(x["group"]), "rewards": torch.zeros_like(x["rewards"])}
    none = gradient(subject, x)
    x["rewards"] = torch.tensor([sign * 1.0, 0.0], dtype=x["rewards"].dtype)
    return -float((gradient(subject, x) - none)[0].sum()) / sign


PROPERTY = Property(
    NAME,
    frozenset({"policy", "actor_critic", "group_policy"}),
    None,
    "twenty backwards of one token",
    judge,
)
