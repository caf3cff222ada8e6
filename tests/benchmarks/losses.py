"""The loss that the benchmarks measure: GRPO from logits with its penalty, as a user writes it."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from numerics import objective
from numerics.families import sample
from numerics.families.logits import token_logp

Loss = Callable[[Tensor], Tensor]


@objective(like="grpo", clip=0.2, beta=0.04, reduce="token-mean")
def from_logits(
    logits: Tensor, labels: Tensor, logp_old: Tensor, logp_ref: Tensor, adv: Tensor, mask: Tensor
) -> Tensor:
    """logits [B,T,V], the rest [B,T]."""
    logp = token_logp(logits, labels)
    ratio = torch.exp(logp - logp_old)
    surrogate = torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
    gap = logp_ref - logp
    penalty = torch.exp(gap) - 1 - gap
    return ((0.04 * penalty - surrogate) * mask).sum() / mask.sum()


def loss_of_logits(shape: Mapping[str, int], seed: int = 0) -> tuple[Loss, Tensor]:
    """The loss as a function of the logits alone, and logits; the rest is a seeded sample."""
    inputs = sample("logits", seed, "moderate", **shape)
    logits = inputs.pop("logits")
    return lambda point: from_logits(point, **inputs), logits


def size(shape: Mapping[str, int]) -> str:
    """A shape as text: (4, 32, 256)."""
    return f"({', '.join(map(str, shape.values()))})"
