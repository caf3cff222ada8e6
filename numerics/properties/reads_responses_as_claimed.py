"""Log-probabilities of a response are summed, or averaged over its own tokens, as claimed.

claims=["summed"]: a response written twice is the response with every log-probability doubled.
claims=["averaged"]: it is the response itself; so a denominator that counts the padding, the whole
batch or a packed row is seen, since only one response of the batch is written twice.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "reads_responses_as_claimed"
CLAIMS = {"summed": 2.0, "averaged": 1.0}


def judge(subject: Subject, setting: Setting) -> Finding:
    """Write the preferred response of the first pair twice, then the rejected one."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = next((c for c in CLAIMS if c in subject.objective.claims), None)
    tokens = takes(subject, "mask_w", "mask_l") and inputs["logp_w"].dim() == 2
    if claimed is None or not tokens:
        return None
    empty = {n: torch.cat([x, 0 * x], -1) for n, x in inputs.items()}
    worst, told = 0.0, ""
    for side in ("w", "l"):
        twice, scaled = dict(empty), dict(empty)
        for name in (f"logp_{side}", f"ref_{side}", f"mask_{side}"):
            length = inputs[name].shape[-1]
            twice[name] = empty[name].clone()
            twice[name][0, length:] = inputs[name][0]
            if not name.startswith("mask"):
                scaled[name] = empty[name].clone()
                scaled[name][0] *= CLAIMS[claimed]
        observed = apart(value(subject, twice), value(subject, scaled))
        if observed > worst:
            worst, told = observed, f"log-probabilities of the {side} response are not {claimed}"
    return worst, told


PROPERTY = Property(NAME, frozenset({"preference"}), None, "four forwards per sample", judge)
