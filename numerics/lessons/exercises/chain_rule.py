"""Exercise 4: rewards per token and the chain rule on two tokens."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.lessons.exercises import answer, require_close
from numerics.lessons.token_rewards import token_rewards
from numerics.lessons.two_token import (
    POLICY,
    REFERENCE,
    SEQUENCES,
    Model,
    chained_divergence,
    sequence_divergence,
)


def models() -> list[tuple[str, Model, Model]]:
    """The lesson's pair, the same exchanged, and a random pair."""
    rng = torch.Generator().manual_seed(5)

    def drawn() -> Model:
        logits = torch.randn(3, 2, generator=rng, dtype=torch.float64)
        laws = torch.softmax(logits, -1)
        return Model(laws[0], laws[1:])

    known = [("the lesson's models", POLICY, REFERENCE), ("exchanged", REFERENCE, POLICY)]
    return [*known, ("a random pair", drawn(), drawn())]


def check(
    rewards: Callable[..., Any], by_tokens: Callable[..., Any], by_sequences: Callable[..., Any]
) -> str:
    """With policy and reference as models (first [2], second [2,2]):
    `rewards(policy, reference, word, score, beta)`: the two rewards of a word such as (0, 1);
    `by_tokens(policy, reference)` and `by_sequences(policy, reference)`: the sequence KL by the
    chain rule and by its definition. Raises Unsolved.
    """
    for name, policy, reference in models():
        for word in SEQUENCES:
            exact = _exact_rewards(policy, reference, word, 0.8, 0.05)
            got = answer(rewards, policy, reference, word, 0.8, 0.05)
            require_close("the rewards", got, exact, f"{name}, word {word}")
        chained = answer(by_tokens, policy, reference)
        require_close("KL by tokens", chained, chained_divergence(policy, reference), name)
        directly = answer(by_sequences, policy, reference)
        require_close("KL by sequences", directly, sequence_divergence(policy, reference), name)
    return (
        f"Sequence KL = sum of the token KLs: {float(sequence_divergence(POLICY, REFERENCE)):.4f}."
    )


def _exact_rewards(
    policy: Model, reference: Model, word: tuple[int, int], score: float, beta: float
) -> Tensor:
    a, b = word
    logp, logp_ref = (
        torch.stack([m.first[a], m.second[a, b]]).log()[None] for m in (policy, reference)
    )
    scores = torch.tensor([score], dtype=torch.float64)
    return token_rewards(logp, logp_ref, scores, torch.ones(1, 2), beta=beta)[0]
