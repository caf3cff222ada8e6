"""Every planted mistake is found, every correct twin passes, a kink decides nothing."""

import math

import pytest
import torch

from numerics.check.directional import noise_of
from numerics.check.gradient import check_gradient
from numerics.errors import UnusableInput
from tests.numerics.planted import MISTAKES, SHAPES, Inputs, logits_sample, planted, twin


def _seeds(count: int) -> list:
    """The first three always, the rest of `count` in long runs."""
    return [s if s < 3 else pytest.param(s, marks=pytest.mark.long) for s in range(count)]


@pytest.mark.parametrize("seed", _seeds(20))
@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: "x".join(map(str, s.values())))
def test_every_planted_mistake_is_found_and_its_twin_passes(shape: dict, seed: int) -> None:
    inputs = logits_sample(shape, seed)
    right = check_gradient(planted(twin, inputs), inputs["logits"], seed=seed)
    assert right.verdict == "pass"
    assert right.observed <= right.allowed < right.minimum_detectable < 1e-6
    for name, wrong in MISTAKES.items():
        found = check_gradient(planted(wrong, inputs), inputs["logits"], seed=seed)
        assert found.verdict == "fail", name
        assert found.observed > 100 * found.allowed, name


def test_the_difference_is_right_when_the_gradient_is_zero() -> None:
    class Zero(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x**2).sum()

        @staticmethod
        def backward(ctx, *upstream):
            return torch.zeros(3, dtype=torch.float64)

    found = check_gradient(Zero.apply, torch.ones(3, dtype=torch.float64))
    assert found.verdict == "fail"
    assert found.observed == pytest.approx(1.0, abs=1e-3)


def test_taylor_order_is_two_for_a_gradient_and_one_for_a_wrong_one() -> None:
    inputs = logits_sample(SHAPES[0], 0)
    right = check_gradient(planted(twin, inputs), inputs["logits"])
    wrong = check_gradient(planted(MISTAKES["times 2"], inputs), inputs["logits"])
    assert right.taylor_order == pytest.approx(2.0, abs=0.02)
    assert wrong.taylor_order == pytest.approx(1.0, abs=0.02)


def test_a_linear_loss_has_no_taylor_order() -> None:
    assert check_gradient(lambda x: (3 * x).sum(), torch.ones(4).double()).taylor_order is None


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.abs().sum(),
        lambda x: torch.relu(x).sum(),
        lambda x: torch.maximum(x, 0 * x).sum(),
        lambda x: x.clamp(min=0.0).sum(),
    ],
    ids=["abs", "relu", "maximum", "clamp"],
)
def test_a_kink_at_the_point_is_inconclusive_with_its_interval(function) -> None:
    found = check_gradient(function, torch.zeros(3, dtype=torch.float64))
    assert found.verdict == "inconclusive"
    assert "one-sided slopes" in found.reason


def test_the_clip_boundary_is_inconclusive() -> None:
    logp = torch.log(torch.tensor([1.2], dtype=torch.float64))
    surrogate = lambda x: -torch.minimum(x.exp(), x.exp().clamp(0.8, 1.2)).sum()
    assert check_gradient(surrogate, logp).verdict == "inconclusive"


def test_a_wrong_gradient_at_a_kink_is_still_wrong() -> None:
    class Outside(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.abs().sum()

        @staticmethod
        def backward(ctx, *upstream):
            return torch.full((3,), 50.0, dtype=torch.float64)

    assert check_gradient(Outside.apply, torch.zeros(3, dtype=torch.float64)).verdict == "fail"


@pytest.mark.parametrize("distance", [1e-5, 1e-6, 1e-7])
def test_a_kink_nearby_does_not_disturb(distance: float) -> None:
    """The step crosses it, a smaller one does not."""
    point = torch.tensor([distance, 1.0, -1.0], dtype=torch.float64)
    found = check_gradient(lambda x: (x.abs() * torch.tensor([1.0, 2.0, 3.0])).sum(), point)
    assert found.verdict in ("pass", "inconclusive")
    assert found.verdict == "pass" or distance < 1e-6


def test_nothing_to_check_is_not_a_pass() -> None:
    found = check_gradient(lambda x: (0.0 * x).sum(), torch.ones(2, dtype=torch.float64))
    assert found.verdict == "inconclusive"
    assert "zero" in found.reason


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("shape", SHAPES[:2], ids=["small", "middle"])
def test_single_precision_inside_is_judged_by_its_own_rounding(shape: dict, seed: int) -> None:
    """A correct cast is never called wrong; a factor is found or the point is left undecided."""
    inputs = logits_sample(shape, seed)
    point = inputs["logits"]
    right = check_gradient(lambda x: planted(twin, inputs)(x.float().double()), point, seed=seed)
    assert right.verdict != "fail"
    doubled = planted(MISTAKES["times 2"], inputs)
    wrong = check_gradient(lambda x: doubled(x.float().double()), point, seed=seed)
    assert wrong.verdict != "pass"


def test_a_smooth_loss_in_single_precision_is_decided() -> None:
    point = torch.linspace(-1, 1, 8, dtype=torch.float64)
    right = check_gradient(lambda x: x.float().exp().sum().double(), point)
    assert right.verdict == "pass"
    assert 1e-5 < right.minimum_detectable < 0.1


def test_half_precision_is_checked_without_its_rounding() -> None:
    point = torch.linspace(-1, 1, 8, dtype=torch.float64)
    right = check_gradient(lambda x: x.bfloat16().exp().sum(), point)
    assert (right.verdict, right.reason) == ("pass", "checked as if it computed in float64")
    half = lambda x: (x.half().exp() + 0.01 * (x - x.detach()).half()).sum()
    assert check_gradient(half, point).verdict == "pass"
    doubled = planted(MISTAKES["times 1.01"], logits_sample(SHAPES[0], 0))
    logits = logits_sample(SHAPES[0], 0)["logits"]
    assert check_gradient(lambda x: doubled(x.half().double()), logits).verdict == "fail"


def test_half_precision_that_cannot_be_widened_is_inconclusive() -> None:
    def insists(x: torch.Tensor) -> torch.Tensor:
        half = x.bfloat16()
        if half.dtype is not torch.bfloat16:
            raise UnusableInput("it wants bfloat16")
        return half.exp().sum()

    found = check_gradient(insists, torch.linspace(-1, 1, 8, dtype=torch.float64))
    assert found.verdict == "inconclusive"
    assert "half precision, and not in float64: it wants bfloat16" in found.reason


@pytest.mark.parametrize("error", [1e-2, 1e-4, 1e-6])
def test_errors_above_the_minimum_detectable_are_found(error: float) -> None:
    inputs = logits_sample(SHAPES[1], 1)
    missed = 0
    for seed in range(10):
        found = check_gradient(
            planted(lambda g, x: (1 + error) * g, inputs), inputs["logits"], seed=seed
        )
        missed += found.verdict != "fail"
        assert found.minimum_detectable < error
    assert missed == 0


def test_one_wrong_entry_of_many_is_found() -> None:
    """An error of 1e-4 |g| in a single one of 32768 entries."""
    inputs = logits_sample(SHAPES[2], 0)

    def wrong(gradient: torch.Tensor, _: Inputs) -> torch.Tensor:
        changed = gradient.clone()
        changed[1, 2, 3] += 1e-4 * torch.linalg.vector_norm(gradient)
        return changed

    assert check_gradient(planted(wrong, inputs), inputs["logits"]).verdict == "fail"


def test_noise_is_read_from_the_difference_table() -> None:
    rng = torch.Generator().manual_seed(0)
    cubic = [1 + k + k**2 + k**3 for k in range(7)]
    assert noise_of([float(v) for v in cubic]) < 1e-12
    estimates = []
    for _ in range(50):
        shaken = torch.tensor(cubic).double() + 1e-3 * torch.randn(7, generator=rng).double()
        estimates.append(noise_of(shaken.tolist()))
    assert 0.5e-3 < sum(estimates) / 50 < 3e-3


def test_changed_control_flow_is_inconclusive() -> None:
    """A branch on requires_grad: replaying would pair other calls."""

    def loss(x: torch.Tensor) -> torch.Tensor:
        frozen = x.detach()
        return (
            (x.exp() if x.requires_grad else x.double().exp().abs()).sum()
            * frozen.sum()
            * x.sum().item()
        )

    found = check_gradient(loss, torch.ones(3, dtype=torch.float64))
    assert found.verdict == "inconclusive"
    assert math.isnan(found.observed)


def test_a_loss_that_differentiates_inside_is_checked() -> None:
    def with_a_penalty(point: torch.Tensor) -> torch.Tensor:
        with torch.enable_grad():
            inner = point * 1.0 if point.requires_grad else point.clone().requires_grad_()
            (slope,) = torch.autograd.grad((inner**3).sum(), inner, create_graph=True)
        return (slope**2).sum()

    point = torch.tensor([0.5, -1.2, 2.0], dtype=torch.float64)
    assert check_gradient(with_a_penalty, point).verdict == "pass"


def test_a_check_costs_one_backward_and_five_forwards() -> None:
    """Two for each of two directions, the Taylor order included; nothing is evaluated twice."""
    calls = {"with a gradient": 0, "without": 0, "backward": 0}

    class Counted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            calls["with a gradient" if x.requires_grad else "without"] += 1
            return x.exp().sum()

        @staticmethod
        def backward(ctx, *upstream: torch.Tensor) -> torch.Tensor:
            calls["backward"] += 1
            return upstream[0] * ctx.saved_tensors[0].exp()

    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    assert check_gradient(Counted.apply, point).verdict == "pass"
    assert calls == {"with a gradient": 1, "without": 4, "backward": 1}
    assert check_gradient(Counted.apply, point, directions=1).verdict == "pass"
    assert calls == {"with a gradient": 2, "without": 6, "backward": 2}


def test_a_stop_gradient_costs_another_backward_and_six_forwards() -> None:
    """The plain check gives up after one direction; values are recorded, then replayed."""
    calls = []

    def loss(x: torch.Tensor) -> torch.Tensor:
        calls.append(x.requires_grad)
        return (x.exp().detach() * x).sum()

    point = torch.linspace(-1, 1, 50, dtype=torch.float64)
    found = check_gradient(loss, point)
    assert found.verdict == "pass"
    assert len(found.sites) == 1
    assert calls[:4] == [True, False, False, True]
    assert len(calls) == 2 + 2 + 4 + 2  # the last two: it is linear, without a Taylor order so near
    assert found.taylor_order is None
