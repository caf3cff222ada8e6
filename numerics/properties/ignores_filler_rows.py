"""A row without any token under its mask is a filler: what it holds does not matter.

A copy of the first row is appended with a mask of zeros. Whether it counts in a mean over rows is a
convention (the claims "empty rows count" and "empty rows do not count" make it a verdict), so every
entry of the other rows' gradient may shrink, by no more than B / (B + 1). The filler itself has no
gradient, and other numbers in it change nothing. A loss that is not finite with a filler is at
fault only under one of these claims.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "ignores_filler_rows"
COUNT, NOT = "empty rows count", "empty rows do not count"
FAMILIES = frozenset({"policy", "kl", "value", "logits", "actor_critic"})


def judge(subject: Subject, setting: Setting) -> Finding:
    """Append a filler to every sample, and refill it."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "mask") or value(subject, inputs).dim():
        return None
    rows = len(inputs["mask"])
    more = {n: torch.cat([x, x[:1]]) for n, x in inputs.items()}
    more["mask"][-1] = 0.0
    with_filler, slope = value(subject, more), gradient(subject, more)
    finite = bool(torch.isfinite(with_filler)) and bool(torch.isfinite(slope).all())
    claimed = {COUNT, NOT} & set(subject.objective.claims)
    if not finite:
        return (torch.inf, "a row without tokens makes the loss not finite") if claimed else None
    other = {n: _refilled(n, x) for n, x in more.items()}
    moved = max(apart(value(subject, other), with_filler), apart(gradient(subject, other), slope))
    if moved > 1e-9:
        return moved, "what a row without tokens holds changes the loss"
    before = gradient(subject, inputs)
    leak = float(slope[-1].abs().max()) / (float(before.abs().max()) or 1.0)
    if leak > 1e-12:
        return leak, f"a row without tokens has a gradient, {leak:.3g} of the largest"
    return _shrunk(before, slope[:-1], rows, claimed)


def _refilled(name: str, x: Tensor) -> Tensor:
    other = x.clone()
    if x.dim() >= 2 and x.is_floating_point() and name != "mask":
        other[-1] = x[-1] - 0.7
    return other


def _shrunk(before: Tensor, after: Tensor, rows: int, claimed: set[str]) -> Observed:
    least = 1.0 if claimed == {NOT} else rows / (rows + 1)
    most = least if claimed == {COUNT} else 1.0
    seen = before.abs() > 1e-9 * before.abs().max()
    if not bool(seen.any()):
        return 0.0, ""
    ratio = (after / torch.where(seen, before, 1.0))[seen]
    off = max(float((least - ratio).max()), float((ratio - most).max()))
    told = f"a row without tokens multiplies the gradient of another by {float(ratio.max()):.6g}"
    return max(off, 0.0), told


PROPERTY = Property(NAME, FAMILIES, None, "three forwards and backwards per sample", judge)
