"""One direction: the verdict's parts, the scale of an input, cached directions."""

import pytest
import torch

from numerics.check import directional
from numerics.check.directional import Base, along, base_at, direction, length, root_mean_square
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
    monkeypatch.setattr(directional, "SMALL", 10)
    first, second = direction((4, 5), 1), direction((4, 5), 2)
    assert direction((4, 5), 1) is first
    assert direction((4, 5), 2) is second
    direction((4, 5), 3)
    assert direction((4, 5), 2) is second
    assert direction((4, 5), 1) is not first
    assert torch.equal(direction((4, 5), 1), first)


def test_the_point_is_left_as_it_was() -> None:
    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    before = point.clone()
    along(_base(lambda x: x.exp().sum(), point), direction((50,), 3))
    assert torch.equal(point, before)


def test_the_scale_of_an_input() -> None:
    assert root_mean_square(torch.full((10, 10), -3.0).double()) == pytest.approx(3.0)
    assert root_mean_square(torch.zeros(4).double()) == 1.0
    assert root_mean_square(torch.randn(300_000).double()) == pytest.approx(1.0, abs=0.05)
    assert length(torch.tensor([3.0, 4.0]).double()) == 5.0
