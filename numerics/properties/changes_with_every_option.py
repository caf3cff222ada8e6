"""Every option that is set reaches the loss: another value of it gives another loss somewhere.

Options are the constants of `objective(constants=...)`. The other value is the function's own
default where that differs, else three halves of a number, or the other truth value; a word without
a default to compare with is not tried.
"""

import inspect
from dataclasses import replace
from typing import Any

from numerics.check.subject import Subject
from numerics.check.trial import apart, gradient, value
from numerics.errors import UnusableInput
from numerics.properties import Finding, Property, Setting

NAME = "changes_with_every_option"
CRITICS = ("value", "gae", "normalised_critic")  # a temperature must not reach them
ALL = frozenset(
    {"policy", "kl", "logits", "value", "preference", "reward_model", "group_advantage", "gae"}
    | {"token_reward", "entropy", "whiten", "divergence", "actor_critic"}
)


def judge(subject: Subject, setting: Setting) -> Finding:
    """Change one option at a time; one sample where it matters is enough."""
    tried = []
    for name, given in subject.objective.constants.items():
        other = _other(subject, name, given)
        if other is None or (name == "temperature" and subject.family.name in CRITICS):
            continue
        tried.append(name)
        if not _matters(subject, setting, name, other):
            shape, seed, regime = setting.points()[0]
            message = f"{name}={given!r} and {name}={other!r} give the same loss everywhere"
            example = {"shape": dict(shape), "seed": seed, "regime": regime, "guess": message}
            return Finding(NAME, "fail", 0.0, None, None, example, message=message)
    if not tried:
        return Finding(NAME, "not_applicable", message="no option is set")
    return Finding(NAME, "pass", message=", ".join(tried))


def _other(subject: Subject, name: str, given: Any) -> Any:
    parameter = inspect.signature(subject.objective.judged).parameters.get(name)
    default = None if parameter is None else parameter.default
    if default is not inspect.Parameter.empty and default is not None and default != given:
        return default
    if isinstance(given, bool):
        return not given
    return 1.5 * given if isinstance(given, float) and given else None


def _matters(subject: Subject, setting: Setting, name: str, other: Any) -> bool:
    constants = {**subject.objective.constants, name: other}
    changed = replace(subject, objective=replace(subject.objective, constants=constants))
    for point in setting.points():
        inputs = subject.sample(*point)
        try:
            mine, other_value = value(subject, inputs), value(changed, inputs)
            if mine.shape != other_value.shape or apart(mine, other_value) > 1e-12:
                return True
            if apart(gradient(subject, inputs), gradient(changed, inputs)) > 1e-12:
                return True
        except UnusableInput:
            return True
    return False


PROPERTY = Property(NAME, ALL, None, "two forwards and backwards per option", judge)
