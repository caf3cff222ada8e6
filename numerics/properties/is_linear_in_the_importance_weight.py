"""An importance weight multiplies what the advantage contributes.

The advantage's part of the gradient (beyond that at A = 0) at half the weights is half of it: a
weight that is dropped leaves it, one that is applied twice quarters it. Whether a penalty is
weighed too is a convention.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "is_linear_in_the_importance_weight"
THEOREM = "decision_processes.importance_weights_correct_the_actions"
LARGEST = 1.0  # weights beyond may be truncated again


def judge(subject: Subject, setting: Setting) -> Finding:
    """Halve every weight."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "rollout_is_weights", "adv"):
        return None
    weights = inputs["rollout_is_weights"].clamp(max=LARGEST)
    full, half = ({**inputs, "rollout_is_weights": f * weights} for f in (1.0, 0.5))
    parts = []
    for given in (full, half):
        none = gradient(subject, {**given, "adv": 0 * given["adv"]})
        parts.append(gradient(subject, given) - none)
    if not float(parts[0].abs().max()):
        return None
    observed = apart(parts[1], 0.5 * parts[0])
    factor = float((parts[1] * parts[0]).sum() / (parts[0] ** 2).sum())
    return observed, f"half the weights give {factor:.4g} of the gradient, not one half"


PROPERTY = Property(NAME, frozenset({"rollout_weights"}), THEOREM, "four backwards", judge)
