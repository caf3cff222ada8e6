"""Prompt and padding of either response do not matter to a loss of comparisons.

Log-probabilities under mask_w = 0 and mask_l = 0 are replaced, of the policy and of the reference;
then a prompt of two masked tokens is put in front of every row.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "ignores_masked_tokens_of_both_responses"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Refill each side in turn."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "mask_w", "mask_l") or inputs[subject.wrt].dim() < 2:
        return None
    before, slope = value(subject, inputs), gradient(subject, inputs)
    for side in ("w", "l"):
        pad, moved = inputs[f"mask_{side}"] == 0, dict(inputs)
        for name, step in ((f"logp_{side}", 1.7), (f"ref_{side}", 0.4), (f"scores_{side}", 1.7)):
            if name in inputs:
                moved[name] = torch.where(pad, inputs[name] - step, inputs[name])
        observed = max(apart(value(subject, moved), before), apart(gradient(subject, moved), slope))
        if observed > 1e-9:
            return observed, f"masked tokens of the {side} response move the loss"
    if subject.family.name != "preference":
        return 0.0, ""  # sequences of scores begin with their prompt
    observed = apart(value(subject, _with_a_prompt(inputs)), before)
    return observed, "a masked prompt in front of both responses moves the loss"


def _with_a_prompt(inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    """Two columns more, masked, with log-probabilities of -2 (policy) and -1 (reference)."""
    fill = {"mask": 0.0, "logp": -2.0, "ref_": -1.0}
    return {
        name: torch.nn.functional.pad(x, (2, 0), value=fill[name[:4]]) if x.dim() == 2 else x
        for name, x in inputs.items()
    }


PROPERTY = Property(NAME, frozenset({"preference", "token_scores"}), None, "three backwards", judge)
