"""Values do not depend on the temperature of the sampler: it scales logits, not a critic.

For losses and estimators of values that have a constant `temperature`.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, try_everywhere, value, with_constants
from numerics.properties import Finding, Property, Setting

NAME = "ignores_the_temperature_of_the_sampler"
FAMILIES = frozenset({"value", "gae", "normalised_critic"})


def judge(subject: Subject, setting: Setting) -> Finding:
    """Change the temperature."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = subject.objective.constants.get("temperature")
    if given is None:
        return None
    other = with_constants(subject, temperature=2.0 * float(given))
    observed = apart(value(subject, inputs), value(other, inputs))
    return observed, f"another temperature moves the result by {observed:.3g} of the largest"


PROPERTY = Property(NAME, FAMILIES, None, "two forwards", judge)
