"""A loss of a group's rewards makes better responses to a prompt likelier, worse ones unlikelier.

What a response is credited with is minus its on-policy gradient, here with full masks and equal
log-probabilities, so that every reduction and every weight by likelihood serves all responses
alike: of two responses to one prompt the better has no lower credit, and unequal rewards give some.
Baselines differ (mean, median, the best of the others), so sums and sizes are judged under a claim
only: "leave-one-out" and "group mean" credits sum to zero in a group and, where a reduction is
claimed too, raising a reward by one raises its credit by one weight, or by (K - 1) / K of it.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, credit, takes, try_everywhere
from numerics.properties import Finding, Property, Setting
from numerics.properties.weighs_tokens_as_claimed import reduction_weights
from numerics.reductions import REDUCTIONS

NAME = "credits_responses_within_their_group"
ALLOWED = 1e-7
BASELINES = ("leave-one-out", "group mean")


def judge(subject: Subject, setting: Setting) -> Finding:
    """The credits of every group, and what one reward does to its own."""
    return try_everywhere(
        NAME, subject, setting, _trial, allowed=1e-7, regimes=("near", "moderate")
    )


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = {**inputs, "mask": torch.ones_like(inputs["mask"])}
    given["logp"] = torch.full_like(inputs["logp"], -1.0)
    tokens, group, rewards = credit(subject, given), inputs["group"], inputs["rewards"]
    found, largest = tokens.mean(-1), float(tokens.abs().max())
    if not largest:
        return 1.0, "unequal rewards of one prompt, and no response is made likelier"
    together = group[:, None] == group[None, :]
    better = (rewards[:, None] > rewards[None, :]) & together
    lower = float(torch.where(better, found[None, :] - found[:, None], 0.0).max()) / largest
    if lower > ALLOWED:
        return lower, "a better response to the same prompt is made less likely than a worse one"
    baseline = next((c for c in BASELINES if c in subject.objective.claims), None)
    if baseline is None:
        return 0.0, ""
    several = together.sum(-1) > 1
    sums = float((together.to(found.dtype) @ found)[several].abs().max()) / largest
    if sums > ALLOWED:
        return sums, f"a group's credits sum to {sums:.2g} of the largest one"
    return _sized(subject, given, found, baseline)


def _sized(
    subject: Subject, given: dict[str, Tensor], found: Tensor, baseline: str
) -> tuple[float, str]:
    """What raising one reward by one adds to its own credit, in units of the response's weight."""
    reduction = next((c for c in REDUCTIONS if c in subject.objective.claims), None)
    if reduction is None or not takes(subject, "mask"):
        return 0.0, ""
    weight, worst = reduction_weights(given["mask"], reduction)[:, 0], (0.0, "")
    for row in range(len(found)):
        size = int((given["group"] == given["group"][row]).sum())
        if size < 2:
            continue
        rewards = given["rewards"].clone()
        rewards[row] += 1.0
        change = credit(subject, {**given, "rewards": rewards}).mean(-1)[row] - found[row]
        gained = float(change / weight[row])
        wanted = 1.0 if baseline == BASELINES[0] else (size - 1) / size
        told = (
            f"a reward raised by one raises its advantage by {gained:.6g}, {baseline}: {wanted:g}"
        )
        worst = max(worst, (abs(gained - wanted), told))
    return worst


PROPERTY = Property(
    NAME, frozenset({"group_policy"}), None, "two backwards, and two per row", judge
)
