"""Numbers of the two-token model."""

import torch
from torch import Tensor

from numerics.lessons.numbers import TRUST_REGIONS, Judged, number
from numerics.lessons.two_token import (
    POLICY,
    REFERENCE,
    chained_divergence,
    sequence_divergence,
    token_divergences,
)

TABLES = (  # policy and reference: first token, then the second after each first one
    ([0.7, 0.3], [[0.9, 0.1], [0.4, 0.6]]),
    ([0.5, 0.5], [[0.5, 0.5], [0.2, 0.8]]),
)


@number("sequence.model", TRUST_REGIONS, "the tables of the policy and of the reference")
def model() -> Judged:
    tables = tuple((m.first.tolist(), m.second.tolist()) for m in (POLICY, REFERENCE))
    named = zip(("policy", "reference"), tables, strict=True)
    words = [f"{name}: first {first}, second {second}" for name, (first, second) in named]
    return Judged("; ".join(words), tables == TABLES)


@number("sequence.first", TRUST_REGIONS, "KL of the first token", 0.0823, 5e-5)
def first() -> Tensor:
    return token_divergences(POLICY, REFERENCE)[0]


@number("sequence.second.after0", TRUST_REGIONS, "KL of the second after 0", 0.3681, 5e-5)
def second_after_zero() -> Tensor:
    return token_divergences(POLICY, REFERENCE)[1][0]


@number("sequence.second.after1", TRUST_REGIONS, "KL of the second after 1", 0.1046, 5e-5)
def second_after_one() -> Tensor:
    return token_divergences(POLICY, REFERENCE)[1][1]


@number("sequence.kl", TRUST_REGIONS, "sequence KL: directly, by the chain rule", 0.3713, 5e-5)
def both_ways() -> Tensor:
    directly = sequence_divergence(POLICY, REFERENCE)
    return torch.stack([directly, chained_divergence(POLICY, REFERENCE)])


@number("sequence.policy", TRUST_REGIONS, "the policy's sequences", (0.63, 0.07, 0.12, 0.18), 5e-10)
def policy() -> Tensor:
    return POLICY.sequences


@number("sequence.reference", TRUST_REGIONS, "the reference's", (0.25, 0.25, 0.1, 0.4), 5e-10)
def reference() -> Tensor:
    return REFERENCE.sequences
