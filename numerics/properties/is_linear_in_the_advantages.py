"""Scaling all advantages by c > 0 scales the surrogate's gradient by c, or leaves it (normalised).

Where min and clip choose by the sign of A only, a loss is homogeneous in A of degree one; a loss
that divides by the advantages' deviation is of degree zero. The penalty is taken out by comparing
differences: from A to 2 A and from 2 A to 4 A. A weighted imitation, exp(A) in the place of A, is
left out.
"""

from torch import Tensor

from numerics.check.imitation import imitates
from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "is_linear_in_the_advantages"
THEOREM = "decision_processes.policy_gradient_of_a_finite_horizon"
TIMES = (1.0, 2.0, 4.0)
NORMALISED = 1e-4  # an epsilon beside the deviation spoils degree zero a little


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the gradients at A, 2 A and 4 A."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial, allowed=1e-7)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv") or subject.of is not None:
        return None
    if imitates(subject, inputs):
        return None
    if "logp" in inputs:  # a penalty that shapes the advantage may turn its sign
        inputs = {**inputs, "logp_ref": inputs["logp"].clone()}
    one, two, four = (gradient(subject, {**inputs, "adv": k * inputs["adv"]}) for k in TIMES)
    if apart(one, two) < NORMALISED:
        return 0.0, "normalised"
    kept = (one != 0) & (two != 0) & (four != 0)  # a loss may leave tokens out
    if not bool(kept.any()):
        return None
    off = apart(2 * (two - one)[kept], (four - two)[kept])
    return off, "two more of the advantages are not twice what one more adds to the gradient"


PROPERTY = Property(
    NAME, frozenset({"policy", "logits", "actor_critic"}), THEOREM, "three backwards", judge
)
