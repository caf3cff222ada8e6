"""More padding on the right changes nothing.

Three masked columns are appended to every argument [B,T]. Value and gradient stay, per-token
results keep their first columns. A loss that divides by the padded length T gets smaller by
T / (T + 3): a convention of some reductions (their norm), so it is a fault only where a reduction
is claimed that has no norm.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting
from numerics.reductions import REDUCTIONS

NAME = "keeps_its_value_in_wider_padding"
MORE = 3
FAMILIES = frozenset(
    {"policy", "kl", "logits", "value", "preference", "entropy", "whiten", "gae", "token_reward"}
    | {"group_policy", "group_advantage", "actor_critic", "token_scores", "returns", "causal"}
)
FILL = 0.75  # of the new columns: no number that a sum would not see
WITHOUT_NORM = {*REDUCTIONS, "mean"} - {"seq-mean-token-sum-norm"}


def judge(subject: Subject, setting: Setting) -> Finding:
    """Pad every sample by three columns."""
    found = try_everywhere(NAME, subject, setting.thinned(), _trial)
    seen = [_compared(subject, subject.sample(*point)) for point in setting.points()[:1]]
    if found.verdict != "pass" or not any(x is not None and x.norm for x in seen):
        return found
    return replace(found, verdict="reported", message="the loss is divided by the padded length T")


@dataclass(frozen=True)
class _Compared:
    """How far the result moves, and whether it only got smaller by T / (T + 3)."""

    worst: float
    norm: bool


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    found = _compared(subject, inputs)
    if found is None:
        return None
    if found.norm and not WITHOUT_NORM & set(subject.objective.claims):
        return 0.0, "divides by the padded length"
    said = f"{MORE} masked columns more change the result by {found.worst:.3g} of the largest"
    return found.worst, said


def _compared(subject: Subject, inputs: dict[str, Tensor]) -> _Compared | None:
    masks = [name for name in ("mask", "mask_w", "mask_l") if takes(subject, name)]
    if not masks:
        return None
    wide = {name: widened(subject, name, x) for name, x in inputs.items()}
    length = inputs[masks[0]].shape[-1]
    one, two = value(subject, inputs), value(subject, wide)
    pairs = [(one, two if one.dim() < 2 else two[..., :length])]
    if not subject.family.held:
        before, after = gradient(subject, inputs), gradient(subject, wide)
        pairs.append((before, after[:, :length] if before.dim() > 1 else after))
        if one.dim() == 0 and before.dim() > 1:
            pairs.append((torch.zeros_like(after[:, length:]), after[:, length:]))
    worst = max(apart(a, b) for a, b in pairs)
    factor = length / (length + MORE)
    norm = worst > 1e-9 and max(apart(factor * a, b) for a, b in pairs) <= 1e-9
    return _Compared(worst, norm)


def widened(subject: Subject, name: str, x: Tensor) -> Tensor:
    """One argument with more columns: masks end in zeros, numbers in FILL, whole ones in 0."""
    if x.dim() < 2 or (subject.family.argument(name).axes[0][:2] != "BT"):
        return x
    fill = 0.0 if name.startswith("mask") or not x.is_floating_point() else -FILL
    if name in ("terminated", "truncated"):
        fill = 0.0
    return torch.nn.functional.pad(x, (*[0] * (2 * (x.dim() - 2)), 0, MORE), value=fill)


PROPERTY = Property(NAME, FAMILIES, None, "two forwards and backwards per sample", judge)
