"""The two-state example: its curves touch at zero and part as printed."""

import pytest
import torch

from numerics.lessons import two_state
from numerics.lessons.lines import point, slope


def test_gain_and_surrogate_touch() -> None:
    assert float(two_state.gain(point(0.0))) == pytest.approx(0, abs=1e-12)
    assert float(two_state.surrogate(point(0.0))) == pytest.approx(0, abs=1e-12)
    slopes = slope(two_state.gain, 0.0), slope(two_state.surrogate, 0.0)
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-12) and slopes[0] > 1


def test_the_peak_is_the_largest_of_a_grid() -> None:
    grid = [0.01 * n for n in range(400)]
    gains = [float(two_state.gain(point(t))) for t in grid]
    best = grid[gains.index(max(gains))]
    assert abs(best - two_state.peak_step()) <= 0.01
    crossing = next(t for t, gain in zip(grid[1:], gains[1:], strict=True) if gain < 0)
    assert 0 <= crossing - two_state.zero_step() <= 0.01


@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.5])
def test_the_trusted_step_is_on_the_boundary(delta: float) -> None:
    t = point(two_state.trusted_step(delta))
    assert float(two_state.divergence_from_old(t)) == pytest.approx(delta, rel=1e-9)


def test_the_quadratic_is_the_divergence_nearby() -> None:
    near, far = point(0.01), point(2.0)
    ratio = lambda t: float(two_state.quadratic(t) / two_state.divergence_from_old(t))
    assert ratio(near) == pytest.approx(1, abs=0.01) and abs(ratio(far) - 1) > 0.05


def test_both_states_have_one_policy() -> None:
    rows = two_state.policy(torch.tensor([0.3, -1.0, 2.0], dtype=torch.float64))
    assert torch.equal(rows[0], rows[1])
