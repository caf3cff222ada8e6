"""The score of a response enters its token rewards once, under the mask.

At logp = logp_ref, where no penalty is due, the rewards under the mask sum to the score: a score
put on padding is lost, one put on every token counts too often. Under the claim "score at the end"
it stands at the last token under the mask.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, takes, try_everywhere, value
from numerics.families.gae import last_steps
from numerics.properties import Finding, Property, Setting

NAME = "adds_the_score_once"
CLAIM = "score at the end"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Sum the rewards of every response."""
    return try_everywhere(NAME, subject, setting, _trial)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = {**inputs, "logp_ref": inputs["logp"].clone()}
    mask = inputs["mask"] if takes(subject, "mask") else torch.ones_like(inputs["mask"])
    raised = {**given, "score": given["score"] + 1.0}
    change = (value(subject, raised) - value(subject, given)) * mask
    rise = change.sum(-1)
    if CLAIM in subject.objective.claims and float((change - last_steps(mask)).abs().max()) > 1e-9:
        place = int((change - last_steps(mask)).abs().sum(-1).argmax())
        return 1.0, f"row {place}: a score higher by 1 changes other tokens than the last one"
    row = int((rise - 1).abs().argmax())
    told = f"row {row}: a score higher by 1 raises its rewards by {float(rise[row]):.6g} in all"
    return apart(rise, torch.ones_like(rise)), told


PROPERTY = Property(NAME, frozenset({"token_reward"}), None, "two forwards", judge)
