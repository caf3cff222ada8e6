"""The advantages of a group sum to zero: they only share out the credit.

True of the mean, of leave-one-out and of both standard deviations. A baseline weighted by lengths
sums to zero over tokens instead, a median leaves equally many on both sides, an estimator of pass@k
rewards the best response alone, and a deviation of the others scales each reward's distance from
the mean by itself: all pass. With one weight per response; a result per token is judged at its
first token.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "sums_to_zero_in_a_group"
THEOREM = "decision_processes.advantage_has_mean_zero"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Sum over every group of two or more."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-8)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    found, group = value(subject, inputs), inputs["group"]
    found = found if found.dim() == 1 else found[:, 0]
    sums = [found[group == n].sum().abs() for n in group.unique() if int((group == n).sum()) > 1]
    scale = max(float(found.abs().max()), 1e-6)
    worst = float(torch.stack(sums).max()) / scale
    shares = (_by_length, _winner_only, _each_scaled, _from_the_median)
    if worst > 1e-8 and any(share(found, group, inputs) for share in shares):
        return 0.0, ""
    return worst, f"a group's advantages sum to {worst:.2g} of the largest one"


def _by_length(found: Tensor, group: Tensor, inputs: dict[str, Tensor]) -> bool:
    """A baseline weighted by the number of tokens: then the sum over tokens is zero."""
    weighted = found * inputs["mask"].sum(-1)
    sums = torch.stack([weighted[group == n].sum().abs() for n in group.unique()])
    return float(sums.max()) <= 1e-8 * float(weighted.abs().max())


def _winner_only(found: Tensor, group: Tensor, inputs: dict[str, Tensor]) -> bool:
    """Credit for the best response alone, as for pass@k: its lead over the second."""
    groups = [found[group == n] for n in group.unique()]
    return all(int((g != 0).sum()) <= 1 and float(g.min()) >= 0 for g in groups)


def _each_scaled(found: Tensor, group: Tensor, inputs: dict[str, Tensor]) -> bool:
    """Each r - mean divided by a deviation of its own, such as that of the others."""
    for n in group.unique():
        rewards, shares = inputs["rewards"][group == n], found[group == n]
        centred = rewards - rewards.mean()
        centred = torch.where(centred.abs() < 1e-9 * rewards.abs().max(), 0.0, centred)
        if len(rewards) > 1 and not torch.equal(shares.sign(), centred.sign()):
            return False
    return True


def _from_the_median(found: Tensor, group: Tensor, inputs: dict[str, Tensor]) -> bool:
    """Distances from the group's median, which one of the responses has, up to a scale."""
    for n in group.unique():
        rewards, shares = inputs["rewards"][group == n], found[group == n]
        off = rewards - rewards.median()
        scale = (shares @ off) / (off @ off) if bool(off.any()) else 1.0
        if len(rewards) > 1 and not torch.allclose(scale * off, shares, rtol=1e-6, atol=1e-9):
            return False
    return True


PROPERTY = Property(NAME, frozenset({"group_advantage"}), THEOREM, "one forward", judge)
