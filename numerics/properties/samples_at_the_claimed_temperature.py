"""From logits, the on-policy gradient is that of the law that sampled: softmax(logits / T).

With the constant `temperature` of `objective(constants=...)`, or 1: at logp_old = log softmax
(logits / T)[label] and A = 1, d loss / d logits is along (p - onehot) / T at every token, with p
the tempered law, and with one weight for the whole response, since its ratio is exactly one.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, takes, try_everywhere
from numerics.families.logits import token_logp
from numerics.properties import Finding, Property, Setting

NAME = "samples_at_the_claimed_temperature"
THEOREM = "foundations.softmax_fisher_information"


def judge(subject: Subject, setting: Setting) -> Finding:
    """One response; the direction of each token's gradient, and that all have one weight."""
    one = Setting(({"B": 1, "T": 3, "V": 5},), setting.seeds, ("near",))
    return try_everywhere(NAME, subject, one, _trial, allowed=1e-7)


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    if not takes(subject, "adv"):
        return None
    temperature = float(subject.objective.constants.get("temperature", 1.0))
    logits, labels = inputs["logits"], inputs["labels"]
    logp = token_logp(logits, labels, temperature)
    given = {**inputs, "logp_old": logp, "logp_ref": logp.clone()}
    given |= {name: torch.ones_like(inputs[name]) for name in ("adv", "mask")}
    none = gradient(subject, {**given, "adv": 0 * given["adv"]})
    found = gradient(subject, given) - none
    if not float(found.abs().max()):  # a ratio that is far from one may be clipped on this side
        found = none - gradient(subject, {**given, "adv": -given["adv"]})
    if not float(found.abs().max()):
        return None  # advantages are normalised over equal ones
    law = torch.softmax(logits / temperature, -1)
    wanted = law - torch.nn.functional.one_hot(labels, logits.shape[-1]).to(law.dtype)
    wanted = wanted * (found.norm() / wanted.norm())
    off = float((found - wanted).abs().max() / wanted.abs().max())
    return off, f"the gradient is not along that of log softmax(logits / {temperature:g})"


PROPERTY = Property(NAME, frozenset({"logits"}), THEOREM, "two backwards of three tokens", judge)
