"""Of two responses to one prompt the one with the higher reward has no lower advantage.

And unequal rewards give an advantage to somebody.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "keeps_the_order_of_rewards"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare every pair inside every group."""
    return try_everywhere(NAME, subject, setting, _trial, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    found, group, rewards = value(subject, inputs), inputs["group"], inputs["rewards"]
    found = found if found.dim() == 1 else found[:, 0]
    higher = (rewards[:, None] > rewards[None, :]) & (group[:, None] == group[None, :])
    if not bool(higher.any()):
        return None
    tied = any(_tied(rewards[group == number]) for number in group.unique())
    if not float(found.abs().max()) and not tied:
        return 1.0, "unequal rewards of one group, and no response has an advantage"
    lower = torch.where(higher, found[None, :] - found[:, None], 0.0)
    worst = float(lower.max())
    i, j = (int(k) for k in torch.unravel_index(lower.argmax(), lower.shape))
    return worst / max(float(found.abs().max()), 1e-6), (
        f"rewards {float(rewards[i]):.4g} and {float(rewards[j]):.4g} of one group have advantages "
        f"{float(found[i]):.4g} and {float(found[j]):.4g}"
    )


def _tied(rewards: Tensor) -> bool:
    """Several best ones: where only the lead of the best counts, there is none."""
    return int((rewards == rewards.max()).sum()) > 1


PROPERTY = Property(NAME, frozenset({"group_advantage"}), None, "one forward", judge)
