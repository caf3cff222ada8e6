"""Divergences between two laws given by logits, and their Hessian-vector products.

logits_p, logits_q [B,V] give KL [B] or a scalar; with vector [B,V] a product [B,V]
"""

import torch
from torch import Tensor

from numerics.families import Argument, Family, Inputs, Shape
from numerics.families.policy import generator

APART = {"near": 0.02, "moderate": 1.0, "far": 15.0}


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Two softmax laws nearly equal, apart, and nearly disjoint; a normal direction."""
    axes, rng = (shape["B"], shape["V"]), generator(seed)
    base, step, vector = (torch.randn(*axes, generator=rng, dtype=torch.float64) for _ in range(3))
    return {"logits_p": base, "logits_q": base + APART[regime] * step, "vector": vector}


def coverage(inputs: Inputs) -> dict[str, int]:
    """How many pairs are nearly equal, apart, and far apart."""
    p, q = (torch.log_softmax(inputs[name], -1) for name in ("logits_p", "logits_q"))
    kl = (p.exp() * (p - q)).sum(-1)
    return {
        "KL below 0.01": int((kl < 0.01).sum()),
        "between": int(((kl >= 0.01) & (kl <= 3.0)).sum()),
        "KL above 3": int((kl > 3.0).sum()),
    }


FAMILY = Family(
    name="divergence",
    arguments=(
        Argument("logits_p", ("BV",), "logits of the law that the divergence averages over"),
        Argument("logits_q", ("BV",), "logits of the other law"),
        Argument("vector", ("BV",), "the direction of a Hessian-vector product"),
    ),
    required=frozenset({"logits_p", "logits_q"}),
    differentiated="logits_q",
    sample=sample,
    coverage=coverage,
    also=("logits_p",),
    results=("", "B", "BV"),
    properties=frozenset(
        {"gradient_is_consistent", "matches_the_specification", "reports_frozen_sites"}
    ),
    shapes=({"B": 2, "V": 3}, {"B": 3, "V": 6}),
)
