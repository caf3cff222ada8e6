"""Numbers of a reference fitted to a loss: the linear ones by least squares, the others by the
method of Gauss and Newton on what the linear ones leave.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from numerics.errors import UnusableInput

Vector = Callable[[Mapping[str, float]], Tensor]  # numbers -> gradients of all samples, in one
STEPS = 30
STARTS = (1.0, 0.2, 5.0)  # times the default
SMALL = 1e-6
STALLED = 0.98  # of the error, when a step leaves that much of it


@dataclass(frozen=True)
class Fit:
    """The numbers, the factor before the whole, and the relative error that is left."""

    numbers: Mapping[str, float]
    scale: float
    misfit: float


@dataclass(frozen=True)
class _Problem:
    vector: Vector
    target: Tensor
    linear: Sequence[str]
    curved: Sequence[str]
    defaults: Mapping[str, float]
    seen: dict[tuple[float, ...], tuple[Tensor, Tensor]] = field(default_factory=dict)

    def left(self, point: Tensor) -> tuple[Tensor, Tensor]:
        """What the best linear numbers leave at these curved ones, and those numbers."""
        key = tuple(point.tolist())
        if key not in self.seen:
            try:
                matrix = _columns(self, dict(zip(self.curved, key, strict=True)))
            except UnusableInput:  # a number that the reference refuses
                return torch.full_like(self.target, torch.inf), self.target[:0]
            found = torch.linalg.lstsq(matrix, self.target[:, None], driver="gelsd").solution[:, 0]
            self.seen[key] = (self.target - matrix @ found, found)
        return self.seen[key]


def fitted(
    vector: Vector, target: Tensor, defaults: Mapping[str, float], linear: Sequence[str]
) -> Fit | None:
    """The numbers with which scale * vector(numbers) is closest to the target; None for a target
    or a vector of zeros.

    `linear` names the numbers that the vector is linear in (`linear_numbers`). Numbers are rounded
    to what a program would say, and keep the sign of their default.
    """
    size = float(target.norm())
    curved = [n for n in defaults if n not in linear]
    problem = _Problem(vector, target, linear, curved, defaults)
    if not size or not float(_columns(problem, {}).abs().max()):
        return None
    starts = [x for x in _starts(problem) if bool(torch.isfinite(problem.left(x)[0]).all())]
    points = [_descended(problem, start) for start in starts]
    if not points:
        return None
    best = min(points, key=lambda point: float(problem.left(point)[0].norm()))
    return _rounded(problem, best, size)


def linear_numbers(vector: Vector, defaults: Mapping[str, float]) -> tuple[str, ...]:
    """The numbers in which a second difference vanishes."""
    return tuple(name for name in defaults if _is_linear(vector, defaults, name))


def _starts(problem: _Problem) -> list[Tensor]:
    middle = torch.tensor([problem.defaults[n] for n in problem.curved], dtype=torch.float64)
    if not problem.curved:
        return [middle]
    return [torch.where(middle == 0.0, factor - 1.0, middle * factor) for factor in STARTS]


def _is_linear(vector: Vector, defaults: Mapping[str, float], name: str) -> bool:
    at = [vector({**defaults, name: x}) for x in (0.5, 0.75, 1.0)]
    if not all(bool(torch.isfinite(v).all()) for v in at):
        return False
    size = max(float(v.norm()) for v in at)
    return float((at[2] - 2 * at[1] + at[0]).norm()) <= 1e-9 * size


def _columns(problem: _Problem, curved: Mapping[str, float]) -> Tensor:
    """vector at linear numbers zero, and what a unit of each of them adds."""
    base = {**problem.defaults, **curved, **dict.fromkeys(problem.linear, 0.0)}
    first = problem.vector(base)
    return torch.stack(
        [first, *(problem.vector({**base, n: 1.0}) - first for n in problem.linear)], 1
    )


def _descended(problem: _Problem, point: Tensor) -> Tensor:
    """Gauss and Newton's steps with damping until nothing improves."""
    damping = 1e-3
    for _ in range(STEPS if len(point) else 0):
        left, _ = problem.left(point)
        if float(left.norm()) <= 1e-12 * float(problem.target.norm()):
            break
        slopes = torch.stack([_slope(problem, point, n) for n in range(len(point))], 1)
        normal = slopes.T @ slopes
        for _ in range(6):
            damped = normal + damping * torch.diag(normal.diagonal() + 1e-30)
            moved = point - torch.linalg.lstsq(damped, (slopes.T @ left)[:, None]).solution[:, 0]
            after = problem.left(moved)[0] if _same_signs(problem, moved) else left
            if bool(torch.isfinite(after).all()) and float(after.norm()) < float(left.norm()):
                damping = max(damping / 10, 1e-12)
                break
            damping *= 10
        else:
            break
        if float(after.norm()) > STALLED * float(left.norm()):
            return moved  # a minimum that is none of zero
        point = moved
    return point


def _same_signs(problem: _Problem, point: Tensor) -> bool:
    pairs = zip(problem.curved, point.tolist(), strict=True)
    return all(x * problem.defaults[n] >= 0 for n, x in pairs)


def _slope(problem: _Problem, point: Tensor, place: int) -> Tensor:
    step = torch.zeros_like(point)
    step[place] = SMALL * max(1.0, float(point[place].abs()))
    ends = [problem.left(x)[0] for x in (point + step, point - step)]
    if not bool(torch.isfinite(ends[0]).all()):  # at the edge of what is allowed
        return (problem.left(point)[0] - ends[1]) / step[place]
    return (ends[0] - ends[1]) / (2 * step[place])


def _rounded(problem: _Problem, point: Tensor, size: float) -> Fit | None:
    """The fit at the rounded curved numbers; the factor is one where a number says the same."""
    short = torch.tensor([shortest(x) for x in point.tolist()], dtype=torch.float64)
    left, found = problem.left(short)
    if not bool(torch.isfinite(left).all()):
        return None
    curved = dict(zip(problem.curved, short.tolist(), strict=True))
    only_terms = float(_columns(problem, curved)[:, 0].norm()) <= 1e-12 * size
    scale = 1.0 if only_terms else tidy(shortest(float(found[0])))
    if not scale:
        return None
    numbers = {n: tidy(shortest(float(found[1 + i]) / scale)) for i, n in enumerate(problem.linear)}
    return Fit({**curved, **numbers}, scale, float(left.norm()) / size)


def shortest(number: float) -> float:
    """The number with the fewest digits within a relative 1e-7.

    >>> shortest(0.3000000001), shortest(1 / 3)
    (0.3, 0.3333333333333333)
    """
    for digits in range(1, 7):
        short = float(f"{number:.{digits}g}")
        if abs(short - number) <= 1e-7 * abs(number) + 1e-10:
            return short
    return number


def tidy(number: float) -> float:
    """Ten digits, and zero for what rounding errors leave."""
    return 0.0 if abs(number) < 1e-10 else float(f"{number:.10g}")
