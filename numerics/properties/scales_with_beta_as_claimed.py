"""loss = beta^-p f(beta margin), with p as claimed: "beta^0" (DPO) or "beta^-2" (IPO, SPPO).

So twice the constant beta at half of all log-ratios multiplies the loss by 2^-p.
"""

from dataclasses import replace

from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "scales_with_beta_as_claimed"
THEOREM = "language_models.partition_function_cancels_in_preferences"
POWERS = {"beta^0": 1.0, "beta^-2": 0.25}
SIDES = (("logp_w", "ref_w"), ("logp_l", "ref_l"))


def judge(subject: Subject, setting: Setting) -> Finding:
    """Halve the distance between policy and reference."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    factor = next((POWERS[c] for c in subject.objective.claims if c in POWERS), None)
    beta = subject.objective.constants.get("beta")
    if factor is None or beta is None or not takes(subject, "ref_w", "ref_l"):
        return None
    constants = {**subject.objective.constants, "beta": 2 * beta}
    twice = replace(subject, objective=replace(subject.objective, constants=constants))
    halved = dict(inputs)
    for policy, reference in SIDES:
        halved[policy] = (inputs[policy] + inputs[reference]) / 2
    observed = apart(value(twice, halved), factor * value(subject, inputs))
    return observed, f"twice beta at half the margin does not multiply the loss by {factor:g}"


PROPERTY = Property(NAME, frozenset({"preference"}), THEOREM, "two forwards", judge)
