"""On-policy the gradient is that of -A log pi, up to a positive weight that the mask alone sets.

At logp_old = logp_ref = logp, for each row: d loss / d logp[b, t] = -w_b A[b, t] + c_b with w_b > 0
(c_b: a baseline that the loss takes off, or a k1 penalty). Judged within a row, where a reduction
has one weight; with advantages [B] each is raised in turn, and only its own response may follow. A
row of one weight for all its tokens is a sequence's own (GSPO takes it so) and a fault only under
the claim "per token". A weighted imitation (weights h(A) > 0 that grow with A) follows no policy
gradient and is left out.
"""

import torch
from torch import Tensor

from numerics.check.imitation import imitates
from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "has_the_policy_gradient_on_policy"
THEOREM = "decision_processes.policy_gradient_of_a_finite_horizon"
MOST = 8  # rows whose advantage is raised, one by one


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the gradient with the advantages in every row."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv") or subject.of is not None:
        return None
    given = on_policy(subject, inputs)
    found, adv = gradient(subject, given), given["adv"]
    mask = given["mask"] > 0 if takes(subject, "mask") else torch.ones_like(given["mask"]) > 0
    if imitates(subject, inputs):
        return None
    if not bool(found.any()) and bool(adv.any()):
        return 1.0, "no advantage moves any log-probability: the gradient is zero"
    if adv.dim() == 1:
        return _between_rows(found, adv, mask) or _own(subject, given, mask)
    per_token, tried = "per token" in subject.objective.claims, False
    worst = (0.0, "")
    for row in range(len(mask)):
        counts = mask[row] & ((found[row] != 0) | per_token)
        if int(counts.sum()) > 2 and (per_token or not _constant(found[row][counts])):
            tried = True
            worst = max(worst, _within(found[row][counts], adv[row][counts], row))
    if worst[0] > 1e-9:
        return worst
    return _own(subject, given, mask) or (worst if tried else None)


def _constant(found: Tensor) -> bool:
    return float((found - found[0]).abs().max()) <= 1e-9 * float(found.abs().max())


def _within(found: Tensor, adv: Tensor, row: int) -> tuple[float, str]:
    """The misfit of found = c - w adv; 1 when w is not positive."""
    design = torch.stack([torch.ones_like(adv), -adv], 1)
    fitted = torch.linalg.lstsq(design, found[:, None]).solution[:, 0]
    weight, largest = float(fitted[1]), float(found.abs().max())
    if weight <= 1e-9 * max(largest, 1e-300):
        return 1.0, f"row {row}: the weight of A in the gradient is {-weight:.6g}, not negative"
    left = float((found - design @ fitted).abs().max()) / largest
    return left, f"row {row}: tokens are not weighted by their own advantages"


def _between_rows(found: Tensor, adv: Tensor, mask: Tensor) -> Observed:
    weights = torch.stack([-found[row][mask[row]].mean() for row in range(len(mask))])
    spread = max(
        float((found[row][mask[row]] + weights[row]).abs().max()) for row in range(len(mask))
    )
    largest = float(found.abs().max()) or 1.0
    if spread > 1e-9 * largest:
        return spread / largest, "tokens of one response have different weights"
    return None


def _own(subject: Subject, given: dict[str, Tensor], mask: Tensor) -> Observed:
    """A response's weight answers to its own advantage, and to no other one in the same sense.

    Advantages that the loss divides by their deviation are left out: there others do matter.
    """
    before, adv = -gradient(subject, given), given["adv"]
    if apart(before, -gradient(subject, {**given, "adv": 3 * adv})) < 1e-4:
        return None
    for row in range(min(len(adv), MOST)):
        raised = adv.clone()
        raised[row] += 0.5
        after = -gradient(subject, {**given, "adv": raised})
        kept = mask & (before != 0) & (after != 0)  # a loss may leave tokens or responses out
        if not bool(kept[row].any()):
            continue
        change = torch.where(kept, after - before, 0.0).sum(-1) / kept.sum(-1).clamp(min=1)
        others = torch.cat([change[:row], change[row + 1 :]])
        if float(change[row]) <= 0:
            return 1.0, f"row {row}: a larger advantage does not make the response likelier"
        if others.numel() and float(others.max()) > 1e-9 * float(change[row]):
            return 1.0, f"the advantage of row {row} makes other responses likelier too"
    return 0.0, ""


PROPERTY = Property(
    NAME, frozenset({"policy", "actor_critic"}), THEOREM, "one backward per sample", judge
)
