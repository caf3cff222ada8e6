"""Which inputs receive a gradient: the caller's contract, a fact and no verdict.

Most losses differentiate advantages and old log-probabilities too and leave it to the caller to
hold them. `leaves_declared_inputs_frozen` judges what was promised.
"""

from numerics.check.subject import Subject
from numerics.check.trial import gradient
from numerics.errors import UnusableInput
from numerics.families import WHOLE
from numerics.properties import Finding, Property, Setting

NAME = "tells_which_inputs_receive_a_gradient"
FAMILIES = frozenset(
    {"policy", "kl", "logits", "value", "preference", "actor_critic", "group_policy"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Differentiate in each input, at a few samples."""
    if subject.of is not None:
        return Finding(NAME, "not_applicable", message="told once, for the first argument")
    moved: dict[str, bool] = {}
    for point in setting.points()[:3]:
        inputs = subject.sample(*point)
        for name in subject.mapped.ours:
            whole = subject.family.argument(name).holds == WHOLE
            if whole or name.startswith("mask") or not inputs[name].dim():
                continue
            try:
                found = bool((gradient(subject, inputs, name) != 0).any())
            except (UnusableInput, RuntimeError):
                continue
            moved[name] = moved.get(name, False) or found
    with_one = ", ".join(name for name, found in moved.items() if found) or "none"
    without = ", ".join(name for name, found in moved.items() if not found) or "none"
    return Finding(NAME, "reported", message=f"a gradient: {with_one}; none: {without}")


PROPERTY = Property(NAME, FAMILIES, None, "a backward per input", judge)
