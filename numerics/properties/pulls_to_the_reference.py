"""A penalty on the distance to the reference pulls towards it, never away.

With advantages of zero and logp_old = logp, the gradient in logp beyond that at logp_ref = logp has
the sign of logp - logp_ref (k2, k3, score form: descent lowers what is likelier than under the
reference). A penalty alone is asked the same, unless it claims samples of another policy. The
penalty k1 has a constant gradient there, of positive sign. The direction of the
divergence is not judged here.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "pulls_to_the_reference"
FROM_ELSEWHERE = {"samples from ref", "samples from old"}
THEOREM = "divergence_estimators.k3_is_used_both_ways"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Near the reference, where every penalty is nearly linear or quadratic."""
    return try_everywhere(
        NAME, subject, setting, _trial, theorem=THEOREM, allowed=0.0, regimes=("near",)
    )


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if subject.family.name == "kl" and FROM_ELSEWHERE & set(subject.objective.claims):
        return None
    if not takes(subject, "logp", "logp_ref"):
        return None
    none = {"adv": torch.zeros_like(inputs["adv"])} if "adv" in inputs else {}
    at = on_policy(subject, {**inputs, **none})
    off = {**at, "logp_ref": inputs["logp_ref"]}
    if float((value(subject, off) - value(subject, at)).abs().max()) < 1e-15:
        return None  # no penalty
    base = gradient(subject, at)
    gap = inputs["logp"] - inputs["logp_ref"]
    pull = float(((gradient(subject, off) - base) * gap).sum())
    scale = float(base.abs().max() * gap.abs().max())
    if pull < -1e-9 * max(scale, 1e-12):
        return 1.0, "the penalty's gradient pushes away from the reference"
    if abs(pull) <= 1e-9 * scale and float(base.sum()) < 0:
        return 1.0, "the penalty falls where the policy leaves the reference: its sign is turned"
    return 0.0, ""


PROPERTY = Property(NAME, frozenset({"policy", "kl"}), THEOREM, "two backwards per sample", judge)
