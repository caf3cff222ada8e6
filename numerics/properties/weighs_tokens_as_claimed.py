"""Each token has the weight that the claimed reduction gives it, in absolute terms.

claims=["token-mean"], or another name of `numerics.reductions`, says how losses of tokens become
one number. The weight of a policy token is -(d loss / d logp) / A on-policy; of a value's token,
half of d loss / d value at an error of one (claim "half": all of it). So a missing 1/B, a mean of
means, or a denominator that counts masked tokens is seen. Without a claim this is not judged.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import Observed, gradient, on_policy, takes, try_everywhere, value
from numerics.properties import Finding, Property, Setting
from numerics.reductions import REDUCTIONS, reduce_tokens

NAME = "weighs_tokens_as_claimed"
POLICIES = frozenset({"policy", "rollout", "rollout_weights"})


def judge(subject: Subject, setting: Setting) -> Finding:
    """Compare the weights with those of the claimed reduction, up to nothing."""
    return try_everywhere(NAME, subject, setting, _trial, allowed=1e-5, regimes=("near",))


def _trial(subject: Subject, inputs: dict[str, Tensor]) -> Observed:
    claimed = next((c for c in subject.objective.claims if c in REDUCTIONS), None)
    if claimed is None or not takes(subject, "mask"):
        return None
    mask = inputs["mask"]
    promised = reduction_weights(mask, claimed)
    if subject.family.name in POLICIES:
        given = on_policy(subject, inputs)
        adv = torch.where(given["adv"].abs() < 0.1, 0.5, given["adv"])
        given["adv"] = adv
        found = -gradient(subject, given) / (adv if adv.dim() == 2 else adv[:, None])
    elif subject.family.name == "logits":
        found = _weights_from_logits(subject, inputs)
    elif subject.family.name == "value":
        given = {**inputs, "value_old": inputs["value"].clone(), "returns": inputs["value"] - 1.0}
        found = gradient(subject, given)
        found = found / (2.0 if "half" not in subject.objective.claims else 1.0)
    elif subject.family.name == "kl":
        result = value(subject, inputs)
        if result.dim():
            return None
        found = _penalty_weights(subject, inputs)
    else:
        return None
    found, promised = found[mask > 0], promised[mask > 0]
    worst = int((found - promised).abs().argmax())
    observed = float((found - promised).abs().max() / promised.max())
    told = f"a token has the weight {float(found[worst]):.6g}, {claimed} gives it"
    return observed, f"{told} {float(promised[worst]):.6g}"


def _weights_from_logits(subject: Subject, inputs: dict[str, Tensor]) -> Tensor:
    """d loss / d logits[label] = -w A (1 - p) / T on-policy, p at the constant `temperature`."""
    temperature = float(subject.objective.constants.get("temperature", 1.0))
    labels = inputs["labels"][..., None]
    logp = torch.log_softmax(inputs["logits"] / temperature, -1).gather(-1, labels)[..., 0]
    adv = torch.ones_like(inputs["adv"])
    given = {**inputs, "logp_old": logp, "logp_ref": logp.clone(), "adv": adv}
    slope = gradient(subject, given) - gradient(subject, {**given, "adv": 0 * adv})
    return -temperature * slope.gather(-1, labels)[..., 0] / -torch.expm1(logp)


def _penalty_weights(subject: Subject, inputs: dict[str, Tensor]) -> Tensor:
    """d loss / d penalty of each token, from a penalty in one token alone, k1, k2 or k3.

    All three are s (e^u - 1 - u) or the like near u = 0; the first derivative decides for k1, the
    second for the others: both are one per unit of the penalty.
    """
    step, weights = 1e-3, torch.zeros_like(inputs["mask"])
    same = {**inputs, "logp_ref": inputs["logp"].clone(), "logp_old": inputs["logp"].clone()}
    for place in (inputs["mask"] > 0).nonzero().tolist():
        at = tuple(place)
        moved = [dict(same), dict(same)]
        for given, sign in zip(moved, (1, -1), strict=True):
            given["logp"] = same["logp"].clone()
            given["logp"][at] += sign * step
        up, down = (float(value(subject, given)) for given in moved)
        first, second = (up - down) / (2 * step), (up + down) / step**2
        weights[at] = first if abs(first) > 0.1 * abs(second) else second
    return weights


def reduction_weights(mask: Tensor, claimed: str) -> Tensor:
    """d reduce(values) / d values: [B,T]."""
    values = torch.zeros_like(mask).requires_grad_()
    return torch.autograd.grad(reduce_tokens(values, mask, claimed), values)[0]


PROPERTY = Property(
    NAME, frozenset({"policy", "value", "kl", "logits"}), None, "one backward", judge
)
