"""An importance weight multiplies what the advantage contributes.

With the weights of each response multiplied by a factor of its own, the advantage's part of the
gradient (beyond that at A = 0) is multiplied by these factors, row by row, and by one positive
number more where the loss divides by the weights' mean. A weight that is dropped leaves the
gradient, one that is applied twice squares the factors. Whether a penalty is weighed too is a
convention.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "is_linear_in_the_importance_weight"
THEOREM = "decision_processes.importance_weights_correct_the_actions"
LARGEST = 1.0  # weights beyond may be truncated again


def judge(subject: Subject, setting: Setting) -> Finding:
    """Smaller weights for every response but the first."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "rollout_is_weights", "adv") or len(inputs["rollout_is_weights"]) < 2:
        return None
    weights = inputs["rollout_is_weights"].clamp(max=LARGEST)
    factors = torch.linspace(1.0, 0.5, len(weights), dtype=weights.dtype)[:, None]
    parts = []
    for given in (weights, factors * weights):
        at = {**inputs, "rollout_is_weights": given}
        none = gradient(subject, {**at, "adv": 0 * at["adv"]})
        parts.append(gradient(subject, at) - none)
    wanted = factors * parts[0]
    if int((wanted.abs().amax(-1) > 0).sum()) < 2:
        return None
    scale = float((wanted * parts[1]).sum() / (wanted**2).sum())
    observed = apart(parts[1], scale * wanted) if scale > 0 else 1.0
    return observed, (
        f"the gradient of a response is not in proportion to its weight, off by {observed:.3g}"
    )


PROPERTY = Property(NAME, frozenset({"rollout_weights"}), THEOREM, "four backwards", judge)
