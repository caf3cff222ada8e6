"""A penalty on the distance to the reference costs nothing where there is no distance.

With advantages of zero and logp_old = logp_ref = logp the loss is zero: k1, k2, k3 and their
weighted forms are. A penalty that is off by a constant has the right gradient and reports a wrong
divergence. For losses that take logp_ref.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, on_policy, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "pays_nothing_to_agree_with_the_reference"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Advantages of zero, all policies equal."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-12, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "logp", "logp_ref", "adv") or subject.of is not None:
        return None
    same = on_policy(subject, {**inputs, "adv": torch.zeros_like(inputs["adv"])})
    apart = {**same, "logp_ref": inputs["logp_ref"]}
    at, off = (float(value(subject, x).abs().max()) for x in (same, apart))
    if not torch.isfinite(torch.tensor([at, off])).all() or off == 0.0:
        return None  # normalised advantages, or no penalty
    return at, f"without advantages, at logp = logp_ref, the loss is {at:.6g}, not 0"


PROPERTY = Property(NAME, frozenset({"policy"}), None, "two forwards per sample", judge)
