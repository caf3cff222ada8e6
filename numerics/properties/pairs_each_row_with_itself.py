"""Rows meet their own partners only: no [B,1] against [B] that silently gives [B,B].

The arguments of a loss come in two sides, such as log-probabilities and advantages [B], or the two
responses of a pair. Broadcast against each other, every row of one side meets every row of the
other: then the loss of a batch is the mean (or sum) over all pairs of rows, each computed alone,
and no longer that over rows. Judged where the two differ, with full masks.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "pairs_each_row_with_itself"
MOST = 4  # rows of a sample: their pairs are computed one by one
SIDES = {
    "policy": ("adv",),
    "value": ("returns",),
    "preference": ("logp_l", "ref_l", "mask_l"),
    "reward_model": ("score_l",),
    "token_scores": ("scores_l", "mask_l"),
}


def judge(subject: Subject, setting: Setting) -> Finding:
    """Every pair of rows alone."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    side = [name for name in SIDES[subject.family.name] if takes(subject, name)]
    few = {n: x[:MOST] for n, x in inputs.items()}
    full = {n: torch.ones_like(x) if n.startswith("mask") else x for n, x in few.items()}
    if not side or value(subject, full).dim():
        return None
    rows = len(full[side[0]])
    alone = torch.zeros(rows, rows, dtype=torch.float64)
    for i in range(rows):
        for j in range(rows):
            row = {n: x[j : j + 1] if n in side else x[i : i + 1] for n, x in full.items()}
            try:
                alone[i, j] = value(subject, row)
            except UnusableInput:
                return None  # a statistic of the batch needs more than a row
    own, every = alone.diagonal().mean(), alone.mean()
    scale = float(alone.abs().max()) or 1.0
    if not bool(torch.isfinite(alone).all()) or float((own - every).abs()) < 1e-6 * scale:
        return None
    found = value(subject, full)
    for times in (1, rows, rows * rows):
        near = float((found - times * every).abs()) < 1e-9 * times * scale
        if near and float((found - times * own).abs()) > 1e-7 * times * scale:
            return 1.0, f"the loss is that of all {rows * rows} pairs of rows, not of {rows} rows"
    return 0.0, ""


PROPERTY = Property(NAME, frozenset(SIDES), None, "a forward per pair of rows", judge)
