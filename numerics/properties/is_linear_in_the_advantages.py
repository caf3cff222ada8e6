"""Scaling all advantages by c > 0 scales the surrogate's gradient by c, or leaves it (normalised).

Where min and clip choose by the sign of A only, a loss is homogeneous in A of degree one; a loss
that divides by the advantages' deviation is of degree zero. The penalty is taken out by comparing
with advantages of zero. A weighted imitation, exp(A) in the place of A, is left out.
"""

from torch import Tensor

from numerics.check.imitation import imitates
from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "is_linear_in_the_advantages"
THEOREM = "decision_processes.policy_gradient_of_a_finite_horizon"
TIMES = 3.0
NORMALISED = 1e-4  # an epsilon beside the deviation spoils degree zero a little


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the gradient at A with that at 3 A."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial, allowed=1e-7)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv") or subject.of is not None:
        return None
    if imitates(subject, inputs):
        return None
    zero = gradient(subject, {**inputs, "adv": 0 * inputs["adv"]})
    once = gradient(subject, inputs) - zero
    more = gradient(subject, {**inputs, "adv": TIMES * inputs["adv"]}) - zero
    if apart(once, more) < NORMALISED:
        return 0.0, "normalised"
    return apart(TIMES * once, more), "three times the advantages is not three times the gradient"


PROPERTY = Property(
    NAME, frozenset({"policy", "logits", "actor_critic"}), THEOREM, "three backwards", judge
)
