"""The optimum against every other law."""

import pytest
import torch

from numerics.errors import UnusableInput
from numerics.lessons.divergence import law, relative_entropy
from numerics.lessons.tilted import objective, optimum
from tests.numerics.lessons.laws import random_law


@pytest.mark.parametrize("beta", [0.05, 1.0, 20.0])
def test_every_law_is_worse_by_its_divergence(beta: float) -> None:
    reference, rewards = random_law(1, 5), 3 * random_law(2, 5)
    best = optimum(reference, rewards, beta)
    assert float(best.value) == pytest.approx(beta * float(best.log_partition), abs=1e-10)
    for seed in range(5):
        other = random_law(seed + 10, 5)
        short = best.value - objective(other, reference, rewards, beta)
        expected = beta * float(relative_entropy(other, best.policy))
        assert float(short) == pytest.approx(expected, abs=1e-10)


def test_the_partition_is_its_sum_and_survives_a_small_beta() -> None:
    best = optimum(law(0.5, 0.3, 0.2), law(0, 1, 2), 1.0)
    terms = law(0.5, 0.3, 0.2) @ law(0, 1, 2).exp()
    assert float(best.partition) == pytest.approx(float(terms), rel=1e-12)
    assert float(optimum(law(0.5, 0.5), law(1, 0), 1e-4).policy[0]) == 1.0


def test_it_stays_within_the_support() -> None:
    best = optimum(law(0.4, 0.6, 0.0), law(0, 0, 9), 1.0)
    assert torch.allclose(best.policy, law(0.4, 0.6, 0.0))
    assert bool(best.penalised[2].isnan()) and float(best.value) == pytest.approx(0, abs=1e-12)


def test_unusable_input_is_refused() -> None:
    with pytest.raises(UnusableInput, match="beta"):
        optimum(law(0.5, 0.5), law(1, 0), 0.0)
    with pytest.raises(UnusableInput, match="reference"):
        optimum(law(0.5, 0.6), law(1, 0), 1.0)
