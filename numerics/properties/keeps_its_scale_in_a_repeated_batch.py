"""A batch written twice gives the same loss (a mean) or twice the loss (a sum), and nothing else.

Judged in the gradient: each copy of a row has half of what the row had, or all of it; terms that
are reduced in two ways lie between. Losses whose rows see each other, such as through a deviation
of the batch, are not concerned.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "keeps_its_scale_in_a_repeated_batch"
FAMILIES = frozenset(
    {"policy", "kl", "logits", "value", "preference", "reward_model", "entropy", "actor_critic"}
    | {"token_scores", "causal"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Repeat every sample."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if value(subject, inputs).dim() or _mixes_rows(subject, inputs):
        return None
    rows = len(inputs[subject.wrt])
    once = gradient(subject, inputs)
    twice = gradient(subject, {n: torch.cat([x, x]) if x.dim() else x for n, x in inputs.items()})
    copies = apart(twice[:rows], twice[rows:])
    if copies > 1e-9:
        return copies, "two copies of one row have different gradients"
    seen = once.abs() > 1e-9 * once.abs().max()
    if not bool(seen.any()):
        return None
    ratio = (twice[:rows] / torch.where(seen, once, 1.0))[seen]
    off = max(float((0.5 - ratio).max()), float((ratio - 1.0).max()), 0.0)
    between = float((ratio - 0.5).abs().min()) > 1e-9 and float((ratio - 1.0).abs().min()) > 1e-9
    if off <= 1e-9 and between and float(ratio.max() - ratio.min()) < 1e-9:
        off = float((1.0 - ratio).abs().min())
    return off, f"a repeated batch multiplies the loss by {2 * float(ratio.max()):.6g}, not 1 or 2"


def _mixes_rows(subject: Subject, inputs: dict[str, Tensor]) -> bool:
    """Whether a row's gradient sees what another row holds: a statistic of the batch."""
    moved = {}
    for name, x in inputs.items():
        other = x.clone()
        if x.dim() and x.is_floating_point() and not name.startswith("mask"):
            other[-1] = x[-1] - 0.1 * (1 + x[-1].abs())
        moved[name] = other
    before, after = gradient(subject, inputs)[:-1], gradient(subject, moved)[:-1]
    return apart(before, after) > 1e-9 or _normalises(subject, inputs)


def _normalises(subject: Subject, inputs: dict[str, Tensor]) -> bool:
    """Whether advantages are divided by a deviation: then N - 1 makes a difference."""
    if not takes(subject, "adv"):
        return False
    none = gradient(subject, {**inputs, "adv": 0 * inputs["adv"]})
    once, more = gradient(subject, inputs), gradient(subject, {**inputs, "adv": 3 * inputs["adv"]})
    return apart(3 * (once - none), more - none) > 1e-7


PROPERTY = Property(NAME, FAMILIES, None, "four backwards per sample", judge)
