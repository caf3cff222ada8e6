"""Rows of a batch have no order: permuted rows give the same loss, and permuted results."""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "follows_the_order_of_rows"
ROWWISE = frozenset(
    {"policy", "kl", "logits", "value", "preference", "reward_model", "group_advantage", "gae"}
    | {"token_reward", "entropy", "whiten", "divergence"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Reverse and rotate the rows of every argument together."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    rows = max(x.shape[0] for x in inputs.values() if x.dim())
    if rows < 2:
        return None
    before = value(subject, inputs)
    if subject.family.held and not bool(torch.isfinite(before).all()):
        return None  # told by properties of their own
    named = [axes for axes in subject.family.results if len(axes) == before.dim()]
    axis = named[0].find("B") if named else 0  # 1 in a stacked result
    slope = None if subject.family.held else gradient(subject, inputs)
    worst = 0.0
    for order in (torch.arange(rows).flip(0), torch.arange(rows).roll(1)):
        moved = {n: x[order] if x.dim() else x for n, x in inputs.items()}
        after = value(subject, moved)
        wanted = before.index_select(axis, order) if before.dim() else before
        worst = max(worst, apart(after, wanted))
        if slope is not None:
            worst = max(worst, apart(gradient(subject, moved), slope[order]))
    return worst, f"with rows in another order the result differs by {worst:.2g} of the largest"


PROPERTY = Property(NAME, ROWWISE, None, "two forwards and backwards per sample", judge)
