"""Every response has one weight, whatever its length (claim "one weight a response").

With advantages [B] and on-policy, the sum over a row of -(d loss / d logp) / A is the same in every
row: a loss of whole sequences that is averaged over tokens counts long responses more.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "weighs_responses_equally"
CLAIM = "one weight a response"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the rows of every sample with unequal lengths."""
    return try_everywhere(NAME, subject, setting, _trial, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if CLAIM not in subject.objective.claims or not takes(subject, "adv", "mask"):
        return None
    given = on_policy(subject, inputs)
    given["adv"] = torch.ones_like(given["adv"])
    weights = -(gradient(subject, given) * given["mask"]).sum(-1)
    observed = float((weights - weights[0]).abs().max() / weights.abs().max())
    told = ", ".join(f"{float(w):.4g}" for w in weights)
    return observed, f"the responses' weights are {told}"


PROPERTY = Property(NAME, frozenset({"policy"}), None, "one backward per sample", judge)
