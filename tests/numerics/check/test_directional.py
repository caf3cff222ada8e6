"""One direction: the verdict's parts, the scale of an input, cached directions."""

import pytest
import torch

from numerics.check import directions
from numerics.check.directional import Base, along, base_at, length, root_mean_square
from numerics.check.directions import direction, forget_large_directions
from numerics.check.gradient import evaluator


def _base(function, point: torch.Tensor, factor: float = 1.0) -> Base:
    leaf = point.clone().requires_grad_()
    value = function(leaf)
    gradient = factor * torch.autograd.grad(value, leaf)[0]
    return base_at(evaluator(function, ()), point, value.item(), gradient)


def test_a_right_gradient_costs_two_evaluations() -> None:
    calls = []

    def counted(x: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return x.exp().sum()

    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    base = _base(counted, point)
    calls.clear()
    found = along(base, direction((50,), 3))
    assert found.verdict == "pass"
    assert len(calls) == 2
    assert abs(found.autograd - found.difference) <= found.tolerance < 1e-8 * base.norm


@pytest.mark.parametrize("factor", [0.0, -1.0, 1.01, 1.0001, 2.0])
def test_a_factor_is_never_inside_the_tolerance(factor: float) -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    found = along(_base(lambda x: x.exp().sum(), point, factor), direction((50,), 3))
    assert found.verdict == "fail"
    assert found.autograd == pytest.approx(factor * found.difference, abs=1e-6)


def test_directions_are_kept_and_standard_normal() -> None:
    line = direction((100, 100), 5)
    assert line is direction((100, 100), 5)
    assert not torch.equal(line, direction((100, 100), 6))
    assert line.dtype == torch.float64
    assert abs(float(line.mean())) < 0.03
    assert abs(float(line.std()) - 1) < 0.03


def test_only_two_large_directions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directions, "SMALL", 10)
    first, second = direction((4, 5), 1), direction((4, 5), 2)
    assert direction((4, 5), 1) is first
    assert direction((4, 5), 2) is second
    direction((4, 5), 3)
    assert direction((4, 5), 2) is second
    assert direction((4, 5), 1) is not first
    again = direction((4, 5), 1)
    assert torch.equal(again, first)
    forget_large_directions()
    assert direction((4, 5), 1) is not again


def test_the_point_is_left_as_it_was() -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    before = point.clone()
    along(_base(lambda x: x.exp().sum(), point), direction((50,), 3))
    assert torch.equal(point, before)


def test_the_scale_of_an_input() -> None:
    assert root_mean_square(torch.full((10, 10), -3.0).double()) == pytest.approx(3.0)
    assert root_mean_square(torch.zeros(4).double()) == 1.0
    assert root_mean_square(direction((300_000,), 0)) == pytest.approx(1.0, abs=0.05)
    assert length(torch.tensor([3.0, 4.0]).double()) == 5.0


def _beside(large: float):
    """A small smooth function beside a large constant, whose rounding hides the usual step."""
    return lambda x: large + 1e-3 * (x.exp() * torch.linspace(0.5, 1.5, len(x))).mean()


@pytest.mark.parametrize("large", [0.0, 10.0, 1e2, 1e3])
def test_a_large_value_does_not_hide_a_small_derivative(large: float) -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    assert along(_base(_beside(large), point), direction((50,), 3)).verdict == "pass"


@pytest.mark.parametrize("factor", [0.0, -1.0, 1.01, 2.0])
def test_and_hides_no_wrong_one(factor: float) -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    found = along(_base(_beside(1e3), point, factor), direction((50,), 3))
    assert found.verdict == "fail"
    assert found.autograd == pytest.approx(
        factor * found.difference, abs=1e-3 * abs(found.difference)
    )


def test_a_kink_nearby_is_no_fault_beside_a_large_value() -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64) + 1e-7
    kinked = lambda x: 1e3 + 1e-3 * x.abs().mean()
    for seed in range(20):
        assert along(_base(kinked, point), direction((50,), seed)).verdict != "fail"


@pytest.mark.parametrize("factor", [1.0, 1.01, 2.0, -1.0])
def test_a_curvature_is_no_kink(factor: float) -> None:
    """Near a stationary point, where a small gradient turns round within a step or two."""
    point = torch.full((50,), 1e-6, dtype=torch.float64) + torch.eye(50, dtype=torch.float64)[0]
    bowl = lambda x: (x[1:] ** 2).sum() + 1e-6 * x[0]
    found = along(_base(bowl, point, factor), direction((50,), 3))
    assert found.verdict == ("pass" if factor == 1.0 else "fail")


@pytest.mark.parametrize("place", [0.0, 0.3, 0.66, 0.7, 0.75, 0.9, 1.2, 1.9, 2.5])
def test_a_kink_within_a_step_is_no_fault(place: float) -> None:
    point = torch.zeros(1, dtype=torch.float64) - place * 1e-5
    kinked = lambda x: (x + 0.5 * x.abs()).sum()
    for seed in range(10):
        found = along(_base(kinked, point), direction((1,), seed))
        assert found.verdict in ("pass", "inconclusive")
        wrong = along(_base(kinked, point, 2.5), direction((1,), seed))
        assert wrong.verdict in ("fail", "inconclusive")
