"""Losses that start from logits and labels, so that the softmax, the gather and the temperature are
checked too.

logits [B,T,V], labels [B,T] (integers), the rest as in the policy family. logits[b, t] predict
labels[b, t].
"""

import torch
from torch import Tensor

from numerics.families import WHOLE, Argument, Family, Inputs, Shape, policy


def token_logp(logits: Tensor, labels: Tensor, temperature: float = 1.0) -> Tensor:
    """log softmax(logits / temperature)[label]: [B,T,V], [B,T] -> [B,T] in nats."""
    scaled = logits if temperature == 1.0 else logits / temperature
    return torch.log_softmax(scaled, -1).gather(-1, labels[..., None]).squeeze(-1)


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Normal logits; old and reference log-probabilities at the same ratios as in the policy
    family.
    """
    axes = (shape["B"], shape["T"], shape["V"])
    rng = policy.generator(seed + 3)
    logits = 1.5 * torch.randn(*axes, generator=rng, dtype=torch.float32).double()
    labels = torch.randint(0, shape["V"], axes[:2], generator=rng)
    draws, logp = policy.token_draws(shape, seed, regime), token_logp(logits, labels)
    return {
        "logits": logits,
        "labels": labels,
        "logp_old": logp - draws["log_ratio"],
        "logp_ref": logp + draws["ref_ratio"],
        "adv": draws["adv"],
        "mask": draws["mask"],
    }


def coverage(inputs: Inputs) -> dict[str, int]:
    """Counts of response tokens in each region of (ratio, sign of A), at temperature one."""
    logp = token_logp(inputs["logits"], inputs["labels"])
    return policy.ratio_coverage(logp - inputs["logp_old"], inputs)


FAMILY = Family(
    name="logits",
    arguments=(
        Argument("logits", ("BTV",), "unnormalised log-probabilities of every token"),
        Argument("labels", ("BT",), "the sampled tokens", WHOLE),
        *(a for a in policy.FAMILY.arguments if a.name != "logp"),
    ),
    required=frozenset({"logits", "labels"}),
    differentiated="logits",
    sample=sample,
    coverage=coverage,
)
