"""A clipped value loss is never below the plain squared error: the clip may only add caution."""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "is_pessimistic"


def judge(subject: Subject, setting: Setting) -> Finding:
    """One token at a time against the same loss inside the clip."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-9)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    """With value_old = value nothing is clipped, so the same loss is the plain one."""
    if not takes(subject, "value", "value_old") or subject.of not in (None, "value"):
        return None
    worst = 0.0
    for row, step in (inputs["mask"] > 0).nonzero().tolist():
        one = {n: x[row : row + 1] for n, x in inputs.items()}
        one = {n: x[:, step : step + 1] if x.dim() == 2 else x for n, x in one.items()}
        one["mask"] = torch.ones_like(one["mask"])
        plain = value(subject, {**one, "value_old": one["value"].clone()})
        worst = max(worst, float((plain - value(subject, one)) / plain.abs().clamp(min=1e-6)))
    return worst, f"a clipped token costs less than the plain error, by {worst:.3g} of it"


PROPERTY = Property(
    NAME, frozenset({"value", "actor_critic"}), None, "two forwards per token", judge
)
