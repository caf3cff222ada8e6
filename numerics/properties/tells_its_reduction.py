"""Which reduction turns losses of tokens into one number: a fact, and a verdict only where claimed.

The weights of all tokens are compared with those of verl's reductions and of plain sums and means
over cells, at several shapes and lengths: one factor at all of them makes a name. With a name in
`claims=`, `weighs_tokens_as_claimed` judges.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.token_weights import token_weights
from numerics.check.trial import takes
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting
from numerics.properties.weighs_tokens_as_claimed import reduction_weights
from numerics.reductions import REDUCTIONS

NAME = "tells_its_reduction"
CLOSE = 1e-5


def judge(subject: Subject, setting: Setting) -> Finding:
    """Fit one factor for each reduction over all samples near the policy."""
    measured = [found for point in setting.points() if (found := _at(subject, point)) is not None]
    if not measured:
        return Finding(NAME, "not_applicable", message="no weights of tokens to measure")
    fitted = ((name, _factor(name, measured)) for name in (*REDUCTIONS, "sum", "mean of all cells"))
    names = [_named(name, factor) for name, factor in fitted if factor is not None]
    said = " = ".join(names) if names else "no known reduction weighs tokens like this"
    return Finding(NAME, "reported", message=said)


def _at(subject: Subject, point: tuple) -> tuple[Tensor, Tensor] | None:
    """Mask and weights at one sample; equal or empty rows tell nothing apart and stay."""
    if point[2] != "near":
        return None
    inputs = subject.sample(*point)
    try:
        found = token_weights(subject, inputs)
    except UnusableInput:
        return None
    if found is None:
        return None
    mask = inputs["mask"] if takes(subject, "mask") else torch.ones_like(inputs["mask"])
    return mask, found * mask


def _factor(name: str, measured: list[tuple[Tensor, Tensor]]) -> float | None:
    """The c with weights = c * those of the reduction everywhere, if there is one."""
    pairs = [(weights, _promised(name, mask) * mask) for mask, weights in measured]
    top = sum(float((w * p).sum()) for w, p in pairs)
    factor = top / sum(float((p * p).sum()) for _, p in pairs)
    off = max(float((w - factor * p).abs().max() / p.max()) for w, p in pairs)
    return factor if factor > 0 and off <= CLOSE * factor else None


def _promised(name: str, mask: Tensor) -> Tensor:
    if name == "sum":
        return torch.ones_like(mask)
    if name == "mean of all cells":
        return torch.ones_like(mask) / mask.numel()
    return reduction_weights(mask, name)


def _named(name: str, factor: float) -> str:
    return name if abs(factor - 1) <= CLOSE else f"{factor:.6g} {name}"


PROPERTY = Property(
    NAME, frozenset({"policy", "value", "kl", "logits"}), None, "one backward", judge
)
