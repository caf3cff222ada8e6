"""Rewards per token: the sum, the place of the score, the padding."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.families.policy import response_mask
from numerics.lessons.divergence import law
from numerics.lessons.token_rewards import token_rewards


def test_the_sum_is_the_penalised_score() -> None:
    rng = torch.Generator().manual_seed(0)
    logp, logp_ref = (torch.randn(4, 6, generator=rng, dtype=torch.float64) for _ in range(2))
    mask, score = response_mask(4, 6, 0), law(1.0, -2.0, 0.0, 3.0)
    found = token_rewards(logp, logp_ref, score, mask, beta=0.3)
    expected = score - 0.3 * ((logp - logp_ref) * mask).sum(-1)
    assert torch.allclose(found.sum(-1), expected, atol=1e-12)
    assert bool((found[mask == 0] == 0).all()) and bool((mask == 0).any())


def test_the_score_sits_on_the_last_response_token() -> None:
    zero, mask = torch.zeros(2, 4), torch.tensor([[0.0, 1, 1, 0], [1, 0, 1, 1]])
    found = token_rewards(zero, zero, torch.tensor([5.0, 7.0]), mask, beta=1.0)
    assert found.tolist() == [[0, 0, 5, 0], [0, 0, 0, 7]]


def test_an_impossible_token_in_the_padding_does_no_harm() -> None:
    logp, mask = torch.tensor([[-1.0, -torch.inf]]), torch.tensor([[1.0, 0.0]])
    found = token_rewards(logp, torch.zeros(1, 2), torch.tensor([2.0]), mask, beta=1.0)
    assert found.tolist() == [[3.0, 0.0]]


def test_unusable_input_is_refused() -> None:
    zero = torch.zeros(2, 3)
    with pytest.raises(UnusableInput, match="without a token"):
        token_rewards(zero, zero, torch.zeros(2), zero, beta=1.0)
    with pytest.raises(UnusableInput, match="shapes differ"):
        token_rewards(zero, zero, torch.zeros(3), torch.ones(2, 3), beta=1.0)
