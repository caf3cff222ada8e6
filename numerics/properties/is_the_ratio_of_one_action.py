"""The ratio of a squashed action is that of its normal draw: both densities have one Jacobian.

pi(a) / pi_old(a) = N(z; mean, std) / N(z; mean_old, std_old), since a = tanh(z) divides both
densities by 1 - tanh(z)^2. So it is one on-policy; a correction on one side alone is not.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "is_the_ratio_of_one_action"
THEOREM = "decision_processes.importance_weights_correct_the_actions"


def judge(subject: Subject, setting: Setting) -> Finding:
    """On-policy, then at the sample."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = dict(inputs)
    for name in ("log_std", "log_std_old"):
        if not takes(subject, name):
            given[name] = torch.zeros_like(inputs[name])
    same = {**given, "mean_old": given["mean"].clone(), "log_std_old": given["log_std"].clone()}
    found = value(subject, same)
    off = float((found - 1).abs().max())
    if off > 1e-9:
        worst = float(found[(found - 1).abs().argmax()])
        return off, f"the ratio of a policy to itself is {worst:.6g}"
    logp, old = (_normal(given, suffix) for suffix in ("", "_old"))
    return apart(value(subject, given), (logp - old).exp()), "it is not the ratio of the densities"


def _normal(x: dict[str, Tensor], suffix: str) -> Tensor:
    """The log-density of z, without its constant."""
    log_std = x["log_std" + suffix]
    unit = (x["z"] - x["mean" + suffix]) / log_std.exp()
    return (-0.5 * unit**2 - log_std).sum(-1)


PROPERTY = Property(NAME, frozenset({"squashed_action"}), THEOREM, "two forwards", judge)
