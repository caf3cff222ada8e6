"""A clipped value loss treats a value that rose like one that fell.

Negating value, value_old and returns leaves the loss and turns its gradient round: squared and
Huber errors are even, and the clip is as wide above the old value as below it. Asked of losses that
take value_old; an error that weighs the two sides differently on purpose (an expectile) takes none.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "clips_values_on_both_sides"
VALUES = ("value", "value_old", "returns")


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare each sample with its mirror image."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, *VALUES):
        return None
    mirrored = {**inputs, **{name: -inputs[name] for name in VALUES}}
    changed = apart(value(subject, mirrored), value(subject, inputs))
    turned = apart(gradient(subject, mirrored, "value"), -gradient(subject, inputs, "value"))
    return max(changed, turned), (
        "with all values negated the loss is another one, and so is its gradient: "
        f"{changed:.3g} and {turned:.3g} of the largest"
    )


PROPERTY = Property(
    NAME, frozenset({"value", "actor_critic"}), None, "two forwards and backwards", judge
)
