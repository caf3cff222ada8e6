"""The chain rule on random models, and training that reaches the closed form by itself."""

from dataclasses import replace

import pytest
import torch

from numerics.check import enumeration
from numerics.errors import UnusableInput
from numerics.lessons import two_token
from numerics.lessons.divergence import law, relative_entropy
from numerics.lessons.two_token import POLICY, REFERENCE, Model, Training, model, train
from tests.numerics.lessons.laws import random_law

REWARDS = law(1.0, 0.0, 2.0, 0.5)


def random_model(seed: int) -> Model:
    return Model(random_law(seed, 2), random_law(seed + 1, 2, 2))


def test_sequences_are_those_of_the_enumeration() -> None:
    tables = (POLICY.first.log(), POLICY.second.log())
    words = enumeration.words(2, 2, "never")
    assert words == two_token.SEQUENCES
    assert torch.allclose(enumeration.probabilities(tables, words), POLICY.sequences, atol=1e-12)
    assert torch.allclose(two_token.sequence_log_law(*tables).exp(), POLICY.sequences, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_chain_rule(seed: int) -> None:
    policy, reference = random_model(seed), random_model(seed + 30)
    directly = float(two_token.sequence_divergence(policy, reference))
    assert float(two_token.chained_divergence(policy, reference)) == pytest.approx(directly)
    first, second = two_token.token_divergences(policy, reference)
    by_reference = float(first + reference.first @ second)  # the wrong law of the first token
    assert abs(by_reference - directly) > 1e-4


@pytest.mark.parametrize("seed", range(3))
def test_training_reaches_the_closed_form(seed: int) -> None:
    trained = train(REFERENCE, REWARDS, Training(seed=seed))
    assert trained.divergences[-1] < 1e-6 < 0.5 < trained.divergences[0]
    assert trained.divergences[-1] == pytest.approx(
        float(relative_entropy(trained.policy, trained.target)), abs=1e-15
    )


def test_training_reaches_the_optimum_of_its_own_beta_only() -> None:
    short = Training(steps=100)
    ends = [train(REFERENCE, REWARDS, replace(short, beta=b)).policy for b in (0.5, 1.0)]
    assert float(relative_entropy(ends[0], ends[1])) > 0.05


@pytest.mark.long
@pytest.mark.parametrize("beta", [0.2, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("seed", range(5))
def test_training_from_random_references(beta: float, seed: int) -> None:
    settings = Training(beta=beta, rate=0.6, steps=4000, group=16, seed=seed)
    assert train(random_model(seed), REWARDS, settings).divergences[-1] < 1e-3


def test_tables_that_are_no_laws_are_refused() -> None:
    with pytest.raises(UnusableInput, match="first token"):
        model([0.5, 0.6], [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(UnusableInput, match="group of one"):
        train(REFERENCE, REWARDS, Training(group=1, steps=1))
