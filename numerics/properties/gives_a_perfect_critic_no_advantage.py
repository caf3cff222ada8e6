"""A critic that is right leaves no advantage, in whatever units it works.

With value_normalised = (returns - value_mean) / value_std every advantage returns - V is zero; and
away from it the advantage is returns - (value_mean + value_std value_normalised), up to one
positive factor.
"""

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "gives_a_perfect_critic_no_advantage"
THEOREM = "decision_processes.advantage_has_mean_zero"


def judge(subject: Subject, setting: Setting) -> Finding:
    """At the perfect critic, then at the sample."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    mean, deviation, returns = (inputs[n] for n in ("value_mean", "value_std", "returns"))
    perfect = (returns - mean) / deviation
    found = value(subject, {**inputs, "value_normalised": perfect})
    left = float(found.abs().max()) / max(float(returns.abs().max()), 1.0)
    if left > 1e-9:
        return left, f"a perfect critic leaves an advantage of {float(found.abs().max()):.6g}"
    wanted = returns - (mean + deviation * inputs["value_normalised"])
    found = value(subject, inputs)
    factor = float((found * wanted).sum() / (wanted**2).sum())
    off = float((found - factor * wanted).abs().max() / wanted.abs().max())
    return (1.0 if factor <= 0 else off), f"advantages are {factor:.6g} times returns - V"


PROPERTY = Property(NAME, frozenset({"normalised_critic"}), THEOREM, "two forwards", judge)
