"""Accumulation over micro-batches gives the gradient of the same rows in one micro-batch.

Micro-batches of equal numbers of tokens must give it whatever is claimed: only a wrong factor can
tell them apart. Of unequal numbers of tokens it is asked under a claimed reduction: "token-mean"
and the other names of `numerics.reductions` (one denominator for all), where the result must be
that reduction's gradient; under "mean of micro-batches" and "sum of micro-batches" the loop must
be the mean, or the sum, of the results of each micro-batch alone.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.objectives.accumulated_gradient import accumulated_gradient
from numerics.properties import Finding, Property, Setting
from numerics.reductions import REDUCTIONS

NAME = "accumulates_the_same_over_any_split"
LOCAL = {"mean of micro-batches": True, "sum of micro-batches": False}
DATA = ("features", "targets", "mask")


def judge(subject: Subject, setting: Setting) -> Finding:
    """Full micro-batches first, then unequal ones."""
    return try_everywhere(NAME, subject, setting, _trial, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    local = next((c for c in LOCAL if c in subject.objective.claims), None)
    if local is not None:
        return _combined(subject, inputs, local)
    full = {**inputs, "mask": torch.ones_like(inputs["mask"])}
    whole = {n: x.flatten(0, 1)[None] if n in DATA else x for n, x in full.items()}
    split, together = value(subject, full), value(subject, whole)
    factor = float((split * together).sum() / (together**2).sum())
    observed = apart(split, together)
    if observed > 1e-9:
        return observed, f"equal micro-batches give {factor:.6g} times the gradient of one pass"
    claimed = next((c for c in REDUCTIONS if c in subject.objective.claims), None)
    if claimed is None:
        return 0.0, ""
    given = inputs if takes(subject, "mask") else full
    wanted = accumulated_gradient(*(given[n] for n in ("weight", *DATA)), reduce=claimed)
    observed = apart(value(subject, given), wanted)
    return observed, f"unequal micro-batches do not give the gradient of {claimed}"


def _combined(subject: Subject, inputs: dict[str, Tensor], local: str) -> Observed:
    alone = [
        value(subject, {n: x[k : k + 1] if n in DATA else x for n, x in inputs.items()})
        for k in range(len(inputs["mask"]))
    ]
    wanted = torch.stack(alone).mean(0) if LOCAL[local] else torch.stack(alone).sum(0)
    return apart(value(subject, inputs), wanted), f"it is not the {local}"


PROPERTY = Property(NAME, frozenset({"accumulation"}), None, "two forwards per sample", judge)
