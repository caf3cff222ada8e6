"""An accumulated gradient is that of the error of the tokens that count, up to a positive factor.

For one micro-batch of one row every reduction is the same up to a factor: there the result must
point along sum_t m 2 (features . weight - target) features. What stands in the padding must not
matter, and where every error is zero so is the gradient. The factor is judged by
`accumulates_the_same_over_any_split` under a claimed reduction.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "follows_the_error_of_its_tokens"


def judge(subject: Subject, setting: Setting) -> Finding:
    """One row, refilled padding, errors of zero."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-8)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    masked = takes(subject, "mask")
    mask = inputs["mask"] if masked else torch.ones_like(inputs["mask"])
    perfect = {**inputs, "targets": inputs["features"] @ inputs["weight"]}
    left = float(value(subject, perfect).abs().max())
    if left > 1e-8:
        return left, f"with every error zero the gradient is {left:.3g}, not 0"
    one = {n: x[:1, :1] if x.dim() > 1 else x for n, x in inputs.items()}
    wanted, found = _gradient(one, mask[:1, :1]), value(subject, one)
    if float(found @ wanted) <= 0:
        return 1.0, "of one row, the gradient does not point along that of its error"
    off = apart(found / found.norm(), wanted / wanted.norm())
    if off > 1e-8:
        return off, "of one row, the gradient is not along that of its error"
    if not masked:
        return off, ""
    pad = mask == 0
    filled = dict(inputs)
    filled["targets"] = torch.where(pad, inputs["targets"] + 1.7, inputs["targets"])
    filled["features"] = torch.where(pad[..., None], 0.3 - inputs["features"], inputs["features"])
    return apart(value(subject, filled), value(subject, inputs)), "masked tokens move the gradient"


def _gradient(x: dict[str, Tensor], mask: Tensor) -> Tensor:
    errors = mask * (x["features"] @ x["weight"] - x["targets"])
    return (2 * errors[..., None] * x["features"]).flatten(0, -2).sum(0)


PROPERTY = Property(NAME, frozenset({"accumulation"}), None, "four forwards per sample", judge)
