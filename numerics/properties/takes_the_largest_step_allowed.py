"""A natural-gradient step goes along F^-1 g, uphill, and its quadratic divergence is delta.

The largest g . s with s . F s / 2 <= delta is s = sqrt(2 delta / (g . F^-1 g)) F^-1 g. A missing 2,
a step along g, or one scaled by the wrong form has another divergence or another direction.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "takes_the_largest_step_allowed"
THEOREM = "foundations.relative_entropy_is_locally_the_fisher_quadratic"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The divergence of the step, and its direction."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM, allowed=1e-5)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    gradient, fisher, delta = (inputs[name] for name in ("gradient", "fisher", "delta"))
    step = value(subject, inputs)
    if not bool(torch.isfinite(step).all()):
        return torch.inf, "the step is not finite"
    natural = torch.linalg.solve(fisher, gradient)
    along = float(step @ fisher @ natural / (natural @ fisher @ natural))
    if along <= 0:
        return 1.0, "the step does not go uphill"
    aside = step - along * natural
    off = float((aside @ fisher @ aside) / (step @ fisher @ step)) ** 0.5
    if off > 1e-5:
        return off, f"the step is off the natural gradient by {off:.4g} of its length"
    divergence = float(step @ fisher @ step / 2)
    told = f"its divergence is {divergence:.6g}, delta is {float(delta):g}"
    return abs(divergence / float(delta) - 1), told


PROPERTY = Property(NAME, frozenset({"natural_step"}), THEOREM, "one forward", judge)
