"""The experiment, with the settings that are stated, and its divergence against the definition."""

import math

import pytest
import torch

from numerics.lessons import ten_actions


@pytest.fixture(scope="module")
def both() -> tuple[ten_actions.Trained, ten_actions.Trained]:
    return ten_actions.run(0.2), ten_actions.run(math.inf)


def test_it_shows_what_is_claimed(both: tuple[ten_actions.Trained, ten_actions.Trained]) -> None:
    clipped, free = both
    assert clipped.share_outside == 1.0
    assert clipped.largest_ratio == pytest.approx(1.626, abs=5e-4)
    assert clipped.growth == pytest.approx(42.6, abs=0.05)
    assert free.largest_ratio == pytest.approx(2.22, abs=5e-3)
    assert free.growth == pytest.approx(74.7, abs=0.05)


def test_the_divergence_is_exact(both: tuple[ten_actions.Trained, ten_actions.Trained]) -> None:
    for trained in both:
        ratios = torch.tensor(trained.ratios, dtype=torch.float64)
        assert float(ratios.mean()) == pytest.approx(1.0, abs=1e-12)
        assert trained.divergences[-1] == pytest.approx(float(-ratios.log().mean()), abs=1e-12)


def test_the_advantages_are_standardised() -> None:
    drawn = ten_actions.advantages()
    assert float(drawn.mean()) == pytest.approx(0, abs=1e-12)
    assert float(drawn.std(correction=0)) == pytest.approx(1, abs=1e-12)
