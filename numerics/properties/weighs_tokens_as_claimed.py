"""Each token has the weight that the claimed reduction gives it, in absolute terms.

claims=["token-mean"], or another name of `numerics.reductions`, says how losses of tokens become
one number. The weight of a policy token is -(d loss / d logp) / A on-policy; of a value's token,
half of d loss / d value at an error of one (claim "half": all of it); of an entropy's token,
d loss / d entropy up to one coefficient. So a missing 1/B, a mean of means, or a denominator that
counts masked tokens is seen. Without a claim this is not judged.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.token_weights import token_weights
from numerics.check.trial import Observed, gradient, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting
from numerics.reductions import REDUCTIONS, reduce_tokens

NAME = "weighs_tokens_as_claimed"


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the weights with those of the claimed reduction, up to nothing."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-5, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = next((c for c in subject.objective.claims if c in REDUCTIONS), None)
    if claimed is None or not takes(subject, "mask"):
        return None
    mask = inputs["mask"]
    promised = reduction_weights(mask, claimed)
    if subject.family.name == "entropy":
        found = _entropy_weights(subject, inputs, float(promised.sum()))
    else:
        found = token_weights(subject, inputs)
    if found is None:
        return None
    found, promised = found[mask > 0], promised[mask > 0]
    worst = int((found - promised).abs().argmax())
    observed = float((found - promised).abs().max() / promised.max())
    told = f"a token has the weight {float(found[worst]):.6g}, {claimed} gives it"
    return observed, f"{told} {float(promised[worst]):.6g}"


def _entropy_weights(subject: Subject, inputs: dict[str, Tensor], total: float) -> Tensor | None:
    """d loss / d entropy of each token, whatever its sign and coefficient: scaled to this total."""
    if value(subject, inputs).dim():
        return None
    leaf = inputs["logits"].detach().clone().requires_grad_()
    logp = torch.log_softmax(leaf, -1)
    rise = torch.autograd.grad(-(logp.exp() * logp).sum(), leaf)[0]
    found = (gradient(subject, inputs) * rise).sum(-1) / (rise**2).sum(-1)
    return found * (total / found.sum()) if bool(found.any()) else found


def reduction_weights(mask: Tensor, claimed: str) -> Tensor:
    """d reduce(values) / d values: [B,T]."""
    values = torch.zeros_like(mask).requires_grad_()
    return torch.autograd.grad(reduce_tokens(values, mask, claimed), values)[0]


PROPERTY = Property(
    NAME, frozenset({"policy", "value", "kl", "logits", "entropy"}), None, "one backward", judge
)
