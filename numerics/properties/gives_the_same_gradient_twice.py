"""Two evaluations, each with its own backward pass, give one value and one gradient.

A loss that keeps a running statistic, a cache or a graph between calls gives itself away here; each
call is made after another one on other data, so that what is left behind shows.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "gives_the_same_gradient_twice"
FAMILIES = frozenset(
    {"policy", "kl", "logits", "value", "preference", "reward_model", "entropy", "divergence"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Once, then after a call on reversed rows."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial, allowed=0.0)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    first = value(subject, inputs), gradient(subject, inputs)
    value(subject, {n: x.flip(0) if x.dim() else x for n, x in inputs.items()})
    second = value(subject, inputs), gradient(subject, inputs)
    for what, one, two in zip(("value", "gradient"), first, second, strict=True):
        if not torch.equal(one, two):
            return float((one - two).abs().max()), f"the {what} depends on what was called before"
    return 0.0, ""


PROPERTY = Property(NAME, FAMILIES, None, "three forwards, two backwards", judge)
