"""What rounding may do to a loss that computes below float64, from the loss itself.

Every rounded result of its torch calls is multiplied by 1 + e u, u uniform in (-1, 1) and e the
rounding unit of that result's type, in a few evaluations (Monte Carlo arithmetic, Parker 1997); the
spread of value and gradient says how far rounding carries. Views, operations in place and whole
numbers (masks, counts, powers of two) are left alone: they are not rounded.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.check.eager import EagerMode

RUNS = 4
SAFETY = 16.0  # between the largest spread seen and what is allowed
WIDEST = 1e-2  # a relative bound above this could hide a factor: it decides nothing
_DOUBLE = torch.finfo(torch.float64).eps

Evaluation = Callable[[], tuple[Tensor, ...]]  # the value and the gradient, in any order


def unit_of(tensor: Any) -> float:
    """The rounding unit of a floating tensor's type; zero for float64 and what is not floating."""
    if not isinstance(tensor, Tensor) or not tensor.is_floating_point():
        return 0.0
    return torch.finfo(tensor.dtype).eps if tensor.dtype is not torch.float64 else 0.0


class _Coarsest(EagerMode):
    """The largest rounding unit of any result."""

    unit = 0.0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.unit = max(self.unit, unit_of(result))
        return result


class _Perturbed(EagerMode):
    """Multiplies what is rounded below float64 by 1 + e u."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = torch.Generator().manual_seed(seed)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        unit = unit_of(result)
        if not unit or result._is_view() or any(result is one for one in args):
            return result
        with torch._C.DisableTorchFunction():
            noise = 2 * torch.rand(result.shape, generator=self.rng, dtype=torch.float64) - 1
            factor = 1 + unit * torch.where(_whole(result), 0.0, noise.to(result.device))
            return (result * factor).to(result.dtype)


def _whole(result: Tensor) -> Tensor:
    return (result == result.round()) | ~torch.isfinite(result)


def coarsest(evaluate: Evaluation) -> float:
    """The largest rounding unit below float64 that an evaluation meets; zero for none."""
    with _Coarsest() as seen:
        evaluate()
    return seen.unit


def rounding(evaluate: Evaluation) -> float:
    """How far rounding may carry each result of an evaluation, relative to its largest entry.

    Zero where everything is computed in float64; infinite where rounding makes it not finite.

    >>> import torch
    >>> x = torch.tensor([1.0, 1e-3], dtype=torch.float64)
    >>> rounding(lambda: (x.exp(),))
    0.0
    >>> 1e-6 < rounding(lambda: (x.float().exp(),)) < 1e-5
    True
    """
    unit = coarsest(evaluate)
    if not unit:
        return 0.0
    base, worst = evaluate(), 2 * unit
    for seed in range(RUNS):
        with _Perturbed(seed):
            moved = evaluate()
        worst = max(worst, *map(_relative, moved, base))
    return SAFETY * worst


def _relative(moved: Tensor, base: Tensor) -> float:
    moved, base = moved.detach().double(), base.detach().double()
    if not base.numel():
        return 0.0
    error, scale = float((moved - base).abs().max()), float(base.abs().max())
    if not math.isfinite(error):
        return math.inf
    return error / scale if scale else (math.inf if error else 0.0)
