"""Closed forms against a search along the distance, and Lambert's function against scipy's."""

import pytest
from scipy.special import lambertw

from numerics.errors import UnusableInput
from numerics.lessons.lines import peak, point
from numerics.lessons.over_optimisation import (
    bought,
    gold,
    gold_peak,
    lambert,
    penalised_peak,
)


@pytest.mark.parametrize("beta", [0.1, 0.5, 2.0])
def test_what_beta_buys(beta: float) -> None:
    found = bought(beta)
    assert found.distance == pytest.approx(peak(lambda d: d - beta * d**2, 0.0, 20.0))
    assert found.objective == pytest.approx(1 / (4 * beta)) and found.reward == found.distance
    half = bought(beta / 2)
    assert half.distance / found.distance == pytest.approx(2)
    assert half.divergence / found.divergence == pytest.approx(4)


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.5), (0.3, 0.4), (-0.2, 1.0)])
def test_where_the_gold_reward_turns(a: float, b: float) -> None:
    distance, value = gold_peak(a, b)
    assert distance == pytest.approx(peak(lambda d: gold(d, a, b), 1e-6, 50.0), rel=1e-9)
    assert value == pytest.approx(float(gold(point(distance), a, b)), rel=1e-12)
    penalised = penalised_peak(a, b, 0.2)
    searched = peak(lambda d: gold(d, a, b) - 0.2 * d**2, 1e-6, 50.0)
    assert penalised == pytest.approx(searched, rel=1e-9) and penalised < distance


@pytest.mark.parametrize("x", [1e-9, 0.1, 1.0, 2.718281828, 50.0, 1e12])
def test_lamberts_function(x: float) -> None:
    assert lambert(x) == pytest.approx(float(lambertw(x).real), rel=1e-12)


def test_unusable_input_is_refused() -> None:
    for call in (lambda: bought(0.0), lambda: gold_peak(1.0, 0.0), lambda: lambert(-0.1)):
        with pytest.raises(UnusableInput):
            call()
    assert lambert(0.0) == 0.0
