"""How much each token counts in a loss: measured from gradients, whatever the reduction is called.

The weight of a policy token is -(d loss / d logp) / A on-policy, beyond what the loss does without
advantages; of a value's token, half of d loss / d value at an error of one (claim "half": all of
it); of a penalty's token, its slope.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import gradient, on_policy, takes, value

POLICIES = frozenset({"policy", "rollout", "rollout_weights"})


def token_weights(subject: Subject, inputs: dict[str, Tensor]) -> Tensor | None:
    """The weights [B,T], or None for a family or a result in which tokens have none.

    >>> from numerics.check.subject import bind
    >>> from numerics import objective
    >>> @objective
    ... def surrogate(logp, adv, mask):
    ...     return -(logp * adv * mask).sum() / mask.sum()
    >>> shape = {"B": 2, "T": 4}
    >>> subject = bind(surrogate, shape)
    >>> found = token_weights(subject, subject.sample(shape, 0))
    >>> bool((found.sum() - 1).abs() < 1e-9)
    True
    """
    family = subject.family.name
    if family in POLICIES and takes(subject, "adv"):
        given = on_policy(subject, inputs)
        adv = torch.where(given["adv"].abs() < 0.1, 0.5, given["adv"])
        # What a penalty such as k1 does by itself is no weight of the surrogate.
        alone = gradient(subject, {**given, "adv": torch.zeros_like(adv)}).nan_to_num()
        found = alone - gradient(subject, {**given, "adv": adv})
        return found / (adv if adv.dim() == 2 else adv[:, None])
    if family == "logits" and takes(subject, "adv"):
        return _weights_from_logits(subject, inputs)
    if family == "value":
        given = {**inputs, "value_old": inputs["value"].clone(), "returns": inputs["value"] - 1.0}
        return gradient(subject, given) / (2.0 if "half" not in subject.objective.claims else 1.0)
    if family == "kl" and not value(subject, inputs).dim():
        return _penalty_weights(subject, inputs)
    return None


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
