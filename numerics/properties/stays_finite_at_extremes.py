"""Value and gradient stay finite, and the value exact, at extreme inputs and in float32.

Scores 120 apart must give what float64 gives, within 1e-3 of it. Sentinels of -1e4 in the padding
are a caller's affair, so they are tried under the claim "any padding" only.
"""

import math

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "stays_finite_at_extremes"
ALLOWED = 1e-3
PADDED = ("policy", "kl")
CLAIM = "any padding"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Extreme rows of the family in both precisions."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=ALLOWED, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    extreme = _extreme(subject, inputs)
    if extreme is None:
        return None
    single = {n: x.float() if x.is_floating_point() else x for n, x in extreme.items()}
    results = {}
    for name, given in (("float64", extreme), ("float32", single)):
        results[name] = value(subject, given)
        slope = gradient(subject, given)
        for what, number in (("value", results[name]), ("gradient", slope)):
            if not bool(torch.isfinite(number).all()):
                return math.inf, f"the {what} in {name} is not finite at extreme inputs"
    wide, narrow = results["float64"], results["float32"].double()
    observed = float(((wide - narrow).abs() / wide.abs().clamp(min=1.0)).max())
    return observed, f"float32 gives {float(narrow.max()):.6g}, float64 {float(wide.max()):.6g}"


def _extreme(subject: Subject, inputs: dict[str, Tensor]) -> dict[str, Tensor] | None:
    claims = subject.objective.claims
    family, given = subject.family.name, dict(inputs)
    if family == "reward_model":
        given["score_w"] = torch.full_like(inputs["score_w"], -60.0)
        given["score_l"] = torch.full_like(inputs["score_l"], 60.0)
        return given
    if family in PADDED and takes(subject, "mask") and CLAIM in claims:
        pad = inputs["mask"] == 0
        given["logp"] = torch.where(pad, -1e4, inputs["logp"])
        return given
    return None


PROPERTY = Property(
    NAME, frozenset({"reward_model", *PADDED}), None, "two backwards in two precisions", judge
)
