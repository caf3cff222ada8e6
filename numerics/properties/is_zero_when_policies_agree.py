"""A divergence penalty is zero where both log-probabilities agree."""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "is_zero_when_policies_agree"
THEOREM = "foundations.relative_entropy_is_nonnegative"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Evaluate at logp_ref = logp_old = logp."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-12)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_ref"):
        return None
    same = {**inputs, "logp_ref": inputs["logp"].clone(), "logp_old": inputs["logp"].clone()}
    found = value(subject, same)
    if found.dim():
        found = torch.where(inputs["mask"] > 0, found, 0.0)
    largest = float(found.abs().max())
    return largest, f"the penalty is {largest:.6g} at logp = logp_ref"


PROPERTY = Property(NAME, frozenset({"kl"}), THEOREM, "one forward per sample", judge)
