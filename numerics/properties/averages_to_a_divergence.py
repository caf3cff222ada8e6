"""Averaged over tokens drawn from the policy, a penalty estimates KL(policy || reference).

A row of the sample is the whole vocabulary: sum_v pi(v) penalty(log pi(v), log ref(v)) must be
non-negative, and be KL(pi||ref) for a penalty that claims to be unbiased (claims=["unbiased"]).
With claims=["samples from ref"] the row is averaged over the reference instead. Only penalties per
token are judged.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "averages_to_a_divergence"
THEOREM = "divergence_estimators.k3_is_unbiased_and_nonnegative"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Average over the exact law of a row."""
    return try_everywhere(NAME, subject, setting, _trial, theorem=THEOREM)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_ref"):
        return None
    logp = torch.log_softmax(3 * inputs["logp"], -1)
    ref = torch.log_softmax(3 * inputs["logp_ref"] + inputs["logp"], -1)
    claims = subject.objective.claims
    given = {**inputs, "logp": logp, "logp_old": logp.clone(), "logp_ref": ref}
    given["mask"] = torch.ones_like(inputs["mask"])
    old = torch.log_softmax(2 * inputs["logp_old"] - inputs["logp_ref"], -1)
    if "samples from old" in claims:
        given["logp_old"] = old
    found = value(subject, given)
    if found.dim() != 2:
        return None
    sampler, other = (ref, logp) if "samples from ref" in claims else (logp, ref)
    mean = ((old if "samples from old" in claims else sampler).exp() * found).sum(-1)
    divergence = (sampler.exp() * (sampler - other)).sum(-1)
    if "unbiased" in claims:
        worst = float((mean - divergence).abs().max())
        return (
            worst,
            f"its mean is {float(mean[0]):.6g}, the divergence is {float(divergence[0]):.6g}",
        )
    worst = float((-mean).clamp(min=0.0).max())
    return worst, f"its mean under the policy is {float(mean.min()):.6g}, below zero"


PROPERTY = Property(NAME, frozenset({"kl"}), THEOREM, "one forward per sample", judge)
