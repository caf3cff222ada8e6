"""logits[b, t] answer for input_ids[b, t + 1], and only where that token is under the mask.

With advantages of one (or none), a position whose next token counts lowers the loss by raising that
token more than any other one (smoothed labels raise others too); any other position, the last one
and the prompt's, has no gradient. A mask shifted without the labels, or labels shifted twice, shows
at the edges.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, try_everywhere
from numerics.properties import Finding, Property, Setting

NAME = "predicts_the_next_token"
THEOREM = "foundations.softmax_fisher_information"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The sign of every entry at every position."""
    regimes = ("near", "moderate")
    return try_everywhere(NAME, subject, setting, _trial, allowed=0.0, regimes=regimes)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    given = {**inputs, "adv": torch.ones_like(inputs["adv"])}
    if "mask" not in subject.mapped.ours:
        given["mask"] = torch.ones_like(inputs["mask"])
    found = gradient(subject, given)
    if not float(found.abs().max()):
        return None
    if "adv" in subject.mapped.ours:
        turned = gradient(subject, {**given, "adv": -given["adv"]})
        none = gradient(subject, {**given, "adv": 0 * given["adv"]})
        if apart(turned - none, none - found) > 1e-9:
            return 1.0, "advantages of minus one do not turn the gradient round"
    following = given["input_ids"].roll(-1, 1)
    counts = given["mask"].roll(-1, 1) > 0
    counts[:, -1] = False
    silent = found.abs().amax(-1) <= 1e-12 * found.abs().max()
    for row, step in (counts & silent).nonzero().tolist()[:1]:
        return 1.0, f"logits[{row}, {step}] have no gradient; token {step + 1} counts"
    for row, step in (~counts & ~silent).nonzero().tolist()[:1]:
        return 1.0, f"logits[{row}, {step}] have a gradient; token {step + 1} does not count"
    own = found.gather(-1, following[..., None])[..., 0]
    wrong = counts & ((own >= 0) | (own > found.amin(-1)))
    for row, step in wrong.nonzero().tolist()[:1]:
        raised, next_one = int(found[row, step].argmin()), int(following[row, step])
        return 1.0, f"logits[{row}, {step}] raise token {raised}; the next one is {next_one}"
    return 0.0, ""


PROPERTY = Property(NAME, frozenset({"causal"}), THEOREM, "one backward", judge)
