"""Is a loss a weighted imitation, such as advantage-weighted regression?

Its gradient on-policy is -h(A) grad log pi with a positive, increasing h (an exponential, say):
every sampled token becomes likelier, the more so the better it was. It follows no policy gradient,
and is none gone wrong: |A| or A^2 in the place of A is not increasing.
"""

import torch
from torch import Tensor

from numerics.check.subject import Subject
from numerics.check.trial import gradient, on_policy, takes


def imitates(subject: Subject, inputs: dict[str, Tensor]) -> bool:
    """Whether all weights are positive at advantages of both signs, and grow with them in a row.

    inputs are a sample of the policy family, adv [B, T] or [B]; a loss from logits is none.

    >>> from numerics import objective
    >>> from numerics.check.subject import bind
    >>> @objective
    ... def regression(logp, adv, mask):
    ...     return -(adv.exp() * logp * mask).sum() / mask.sum()
    >>> subject = bind(regression, {"B": 2, "T": 4})
    >>> imitates(subject, subject.sample({"B": 2, "T": 4}, 0))
    True
    """
    if not takes(subject, "adv") or "logp" not in inputs:
        return False
    weights = -gradient(subject, on_policy(subject, inputs))
    adv = inputs["adv"] if inputs["adv"].dim() == weights.dim() else inputs["adv"][:, None]
    adv = adv.expand_as(weights)
    counted = inputs["mask"] > 0 if takes(subject, "mask") else torch.ones_like(weights) > 0
    if not bool((adv[counted] < 0).any()) or not bool((weights[counted] > 0).all()):
        return False
    rows = [(adv[b][counted[b]], weights[b][counted[b]]) for b in range(len(adv))]
    return all(bool((w[a.argsort()].diff() >= 0).all()) for a, w in rows)
