"""A penalty that changes the value of the loss changes its gradient too.

With advantages of zero nothing but the penalty is left: if the value depends on logp_ref and the
gradient is zero everywhere, the penalty is a number that is reported and trains nothing.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "passes_a_gradient_through_its_penalty"
THEOREM = "language_models.tilted_reference_is_the_unique_optimum"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Advantages of zero, and two references."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_ref", "adv"):
        return None
    given = {**inputs, "adv": torch.zeros_like(inputs["adv"])}
    moved = {**given, "logp_ref": given["logp"] - 2 * (given["logp_ref"] - given["logp"])}
    if abs(float(value(subject, moved) - value(subject, given))) < 1e-15:
        return None
    if float(gradient(subject, given).abs().max()) == 0.0:
        return 1.0, "the penalty moves the value and passes no gradient to logp"
    return 0.0, ""


PROPERTY = Property(NAME, frozenset({"policy"}), THEOREM, "two forwards and a backward", judge)
