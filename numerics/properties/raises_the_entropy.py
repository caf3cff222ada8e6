"""A step against the gradient of an entropy term raises the entropy (claim "bonus").

Claims "mean" beside them: a repeated batch leaves the number unchanged. A loss of actor and critic
together that takes entropies must not rise with any of them. A policy loss from logits is asked
under the claim "bonus" too.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, apart, gradient, on_policy, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting

NAME = "raises_the_entropy"
THEOREM = "foundations.relative_entropy_to_uniform_is_missing_entropy"


def judge(subject: Subject, setting: Setting) -> Finding:
    """The direction of a step, and a repeated batch."""
    return try_everywhere(NAME, subject, setting, _trial, regimes=("near", "moderate"))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claims, said = subject.objective.claims, False
    if subject.family.name == "actor_critic":
        return _beside_a_policy(subject, inputs)
    if subject.family.name == "logits":
        return _within_a_policy_loss(subject, inputs) if "bonus" in claims else None
    if "mean" in claims:
        twice = {n: torch.cat([x, x]) for n, x in inputs.items()}
        observed, said = apart(value(subject, twice), value(subject, inputs)), True
        if observed > 1e-9:
            return observed, "a repeated batch changes the mean"
    if "bonus" in claims:
        said = True
        mask = inputs["mask"] if takes(subject, "mask") else torch.ones_like(inputs["mask"])
        leaf = inputs["logits"].clone().requires_grad_()
        logp = torch.log_softmax(leaf, -1)
        total = (-(logp.exp() * logp).sum(-1) * mask).sum()
        rise = torch.autograd.grad(total, leaf)[0]
        along = -float((gradient(subject, inputs) * rise).sum())
        if along <= 0:
            return 1.0, "a step against the gradient lowers the entropy"
    return (0.0, "") if said else None


def _beside_a_policy(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    """A whole loss of actor and critic that takes entropies lowers none of them."""
    if not takes(subject, "entropy") or subject.of not in (None, "entropy"):
        return None
    slope = gradient(subject, inputs, "entropy")
    worst = float(slope.max())
    return max(worst, 0.0), f"d loss / d entropy is {worst:.6g}: the loss punishes entropy"


def _within_a_policy_loss(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    """On-policy and with advantages of zero, what is left of the gradient is the bonus."""
    given = on_policy(subject, {**inputs, "adv": torch.zeros_like(inputs["adv"])})
    leaf = inputs["logits"].clone().requires_grad_()
    logp = torch.log_softmax(leaf, -1)
    mask = inputs["mask"] if takes(subject, "mask") else torch.ones_like(inputs["mask"])
    rise = torch.autograd.grad((-(logp.exp() * logp).sum(-1) * mask).sum(), leaf)[0]
    along = -float((gradient(subject, given) * rise).sum())
    return (0.0, "") if along > 0 else (1.0, "without advantages a step lowers the entropy")


PROPERTY = Property(
    NAME, frozenset({"entropy", "actor_critic", "logits"}), THEOREM, "two backwards", judge
)
