"""At each position the gradient raises the sampled token and lowers all others.

From logits, on-policy and with A = 1, beyond what the loss does with A = 0: d loss / d
logits[b, t, v] is negative at v = labels[b, t] and not negative elsewhere. Labels shifted by one
position, or log-probabilities gathered at the wrong place, raise another token.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "credits_the_sampled_token"
THEOREM = "foundations.softmax_fisher_information"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The sign of every entry at every response token."""
    return try_everywhere(NAME, subject, setting.thinned(), _trial, allowed=0.0, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv"):
        return None
    labels = inputs["labels"]
    given = on_policy(subject, {**inputs, "adv": torch.ones_like(inputs["adv"])})
    none = gradient(subject, {**given, "adv": 0 * given["adv"]})
    for sign in (1.0, -1.0):
        found = sign * (gradient(subject, {**given, "adv": sign * given["adv"]}) - none)
        if float(found.abs().max()):
            break  # equal advantages are normalised away, or a wrong ratio is clipped on one side
    else:
        return None
    mask = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(labels) > 0
    own = found.gather(-1, labels[..., None])[..., 0]
    others = found.scatter(-1, labels[..., None], 0.0)
    wrong = mask & ((own >= 0) | (others.amin(-1) < -1e-12 * found.abs().max()))
    if not bool(wrong.any()):
        return 0.0, ""
    row, step = (int(i) for i in wrong.nonzero()[0])
    raised = int(found[row, step].argmin())
    told = f"token {raised} is raised at [{row}, {step}], sampled was {int(labels[row, step])}"
    return 1.0, told


PROPERTY = Property(NAME, frozenset({"logits"}), THEOREM, "two backwards per sample", judge)
