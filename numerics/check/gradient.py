"""Is the gradient the gradient? Differences along normal directions, with an error that is
estimated, not assumed.

For a scalar f at x and a direction v with independent standard normal entries, <grad f, v> is
compared with a central difference at an rms step of 1e-5. An error e of the gradient shows as <e,
v>, normal with deviation |e| whatever the size of x: with tolerance tau |g| an error r |g| is
missed with probability 0.8 tau / r per direction.

Cost of one direction: two evaluations beside the one forward and backward. Only when the plain
comparison is not met are further evaluations spent: a seven-point stencil gives a derivative of
sixth order, its truncation error and, by Hamming's difference table, the noise of f itself; smaller
steps tell a kink nearby from a kink at the point and both from a wrong gradient. Stop-gradient
values are recorded and replayed (see frozen.py).

Sources: More and Wild (2011) for the noise; measured limits in the project's notes on gradient
checking.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from numerics.check.frozen import ControlFlowChanged, Recorded, Site, record, replaying

STEP = 1e-5  # rms step relative to the input's rms; float64 loses accuracy on both sides of it
SHRINK = (1.0, 0.1, 0.01)
WIDEST = 1e-5  # a relative tolerance above this decides nothing: it could hide a factor
JUMP = 1e-3  # one-sided slopes further apart than this (relative) are a kink or need a smaller step
EPS = torch.finfo(torch.float64).eps
_MISS = 0.01  # the minimum detectable error is missed with this probability


@dataclass(frozen=True)
class Direction:
    """One direction: both derivatives, the tolerance (absolute), the step, the one-sided slopes,
    the verdict.
    """

    verdict: str
    autograd: float
    difference: float
    tolerance: float
    step: float
    slopes: tuple[float, float]


@dataclass(frozen=True)
class GradientCheck:
    """The outcome. observed, allowed and minimum_detectable are relative to |g|."""

    verdict: str
    observed: float
    allowed: float
    minimum_detectable: float
    directions: tuple[Direction, ...]
    taylor_order: float | None
    sites: tuple[Site, ...]
    gradient: Tensor
    reason: str = ""


Scalar = Callable[[Tensor], float]


@lru_cache(maxsize=16)
def direction(shape: tuple[int, ...], seed: int) -> Tensor:
    """Standard normal, float64; drawn in float32, whose generator is five times as fast. Not to be
    modified.
    """
    return torch.randn(
        *shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float32
    ).double()


def root_mean_square(point: Tensor) -> float:
    """The scale of an input; one for an input of zeros."""
    return float(torch.linalg.vector_norm(point)) / math.sqrt(max(point.numel(), 1)) or 1.0


def evaluator(function: Callable[[Tensor], Tensor], sites: tuple[Site, ...]) -> Scalar:
    """f as a number at another point, with what was frozen at the base point put back."""

    def evaluate(point: Tensor) -> float:
        with replaying(sites):
            return function(point).item()

    return evaluate


def check_gradient(
    function: Callable[[Tensor], Tensor], point: Tensor, *, seed: int = 0, directions: int = 2
) -> GradientCheck:
    """Check autograd's gradient of a scalar function at a float64 point.

    Verdicts: pass, fail, inconclusive (a kink at the point, noise, or nothing that depends on it).
    Raises UnusableInput when the function has no gradient at all.

    >>> import torch
    >>> x = torch.tensor([0.5, -1.0], dtype=torch.float64)
    >>> check_gradient(lambda t: t.exp().sum(), x).verdict
    'pass'
    >>> check_gradient(lambda t: t.abs().sum(), 0 * x).verdict
    'inconclusive'
    """
    recorded = record(function, point)
    gradient = recorded.gradients[0]
    if gradient is None:
        gradient = torch.zeros_like(point)
    evaluate = evaluator(function, recorded.sites)
    lines = [direction(tuple(point.shape), 1000 * seed + k) for k in range(directions)]
    try:
        outcomes = [along(evaluate, point, recorded.value.item(), gradient, line) for line in lines]
        order = taylor_order(evaluate, point, recorded.value.item(), gradient, lines[0])
    except ControlFlowChanged as error:
        return _undecided(
            recorded, gradient, f"the loss ran other operations at a point nearby: {error}"
        )
    return _summary(tuple(outcomes), gradient, order, recorded.sites)


def along(
    evaluate: Scalar, point: Tensor, base: float, gradient: Tensor, line: Tensor
) -> Direction:
    """Compare the two derivatives along one direction."""
    slope = torch.dot(gradient.reshape(-1), line.reshape(-1)).item()
    norm = torch.linalg.vector_norm(gradient).item()
    step = STEP * root_mean_square(point)
    moved = point.add(line, alpha=step)
    above, below = evaluate(moved), evaluate(torch.sub(point, line, alpha=step, out=moved))
    difference = (above - below) / (2 * step)
    slopes = ((base - below) / step, (above - base) / step)
    rounding = 2 * EPS * max(abs(above), abs(below)) / step + 1e-13 * norm
    tolerance = (
        rounding + step**2 * norm
    )  # truncation: f''' is about as large as f' where f is smooth
    scale = max(norm, abs(difference))
    smooth = abs(slopes[1] - slopes[0]) <= JUMP * scale
    if abs(difference - slope) <= tolerance <= WIDEST * scale and smooth:
        return Direction("pass", slope, difference, tolerance, step, slopes)
    return _closer(evaluate, point, base, slope, norm, line)


def _closer(
    evaluate: Scalar, point: Tensor, base: float, slope: float, norm: float, line: Tensor
) -> Direction:
    """The same with seven points at three steps. Wrong at two smooth steps is wrong; right at one
    is right.
    """
    disagreements: list[Direction] = []
    last = None
    for shrink in SHRINK:
        step = STEP * root_mean_square(point) * shrink
        last = _stencil(evaluate, point, base, slope, norm, line, step)
        if last.verdict == "pass":
            return last
        if last.verdict == "fail":
            disagreements.append(last)
        if len(disagreements) == 2:
            return disagreements[0]
    low, high = sorted(last.slopes)
    slack = JUMP * max(norm, abs(low), abs(high))
    if high - low > slack and not low - slack <= slope <= high + slack:
        return Direction("fail", slope, last.difference, slack, last.step, last.slopes)
    return last


def _stencil(
    evaluate: Scalar,
    point: Tensor,
    base: float,
    slope: float,
    norm: float,
    line: Tensor,
    step: float,
) -> Direction:
    values = [base if k == 0 else evaluate(point.add(line, alpha=k * step)) for k in range(-3, 4)]
    odd = [values[3 + k] - values[3 - k] for k in (1, 2, 3)]
    fourth = (8 * odd[0] - odd[1]) / (12 * step)
    sixth = (45 * odd[0] - 9 * odd[1] + odd[2]) / (60 * step)
    slopes = ((base - values[2]) / step, (values[4] - base) / step)
    scale = max(norm, abs(sixth))
    tolerance = 8 * noise(values) / step + 4 * abs(sixth - fourth) + 1e-13 * norm
    smooth = abs(slopes[1] - slopes[0]) <= JUMP * scale and tolerance <= WIDEST * scale
    if not smooth:
        verdict = "inconclusive"
    else:
        verdict = "pass" if abs(sixth - slope) <= tolerance else "fail"
    return Direction(verdict, slope, sixth, tolerance, step, slopes)


def noise(values: list[float]) -> float:
    """The rounding noise of f from its values at equal steps: differences of order 4 and above hold
    nothing else.
    """
    table, estimate = list(values), EPS * max(map(abs, values)) / 2
    for order in range(1, len(values)):
        table = [b - a for a, b in zip(table, table[1:], strict=False)]
        if order >= 4:
            mean_square = sum(entry**2 for entry in table) / len(table)
            estimate = max(estimate, math.sqrt(mean_square / math.comb(2 * order, order)))
    return estimate


def taylor_order(
    evaluate: Scalar, point: Tensor, base: float, gradient: Tensor, line: Tensor
) -> float | None:
    """log2 of the ratio of the remainders f(x + tv) - f(x) - t<g, v> at t and t/2: 2 for a
    gradient, 1 for a wrong one.

    None when the remainders are rounding: f is linear along v.
    """
    slope = torch.dot(gradient.reshape(-1), line.reshape(-1)).item()
    steps = [t * root_mean_square(point) for t in (1e-3, 5e-4)]
    rest = [abs(evaluate(point.add(line, alpha=t)) - base - t * slope) for t in steps]
    if min(rest) <= 100 * EPS * max(abs(base), abs(steps[0] * slope)):
        return None
    return math.log2(rest[0] / rest[1])


def _summary(
    outcomes: tuple[Direction, ...], gradient: Tensor, order: float | None, sites: tuple[Site, ...]
) -> GradientCheck:
    differences = [abs(o.difference) for o in outcomes]
    norm = torch.linalg.vector_norm(gradient).item() or max(differences)
    if norm == 0.0:
        return GradientCheck(
            "inconclusive",
            0.0,
            0.0,
            math.inf,
            outcomes,
            order,
            sites,
            gradient,
            "gradient and differences are zero",
        )
    verdicts = {o.verdict for o in outcomes}
    verdict = next(v for v in ("fail", "inconclusive", "pass") if v in verdicts)
    judged = [o for o in outcomes if o.verdict == verdict]
    observed = max(abs(o.autograd - o.difference) for o in judged) / norm
    allowed = max(o.tolerance for o in judged) / norm
    least = 0.8 * allowed / _MISS ** (1 / len(outcomes))
    return GradientCheck(
        verdict,
        observed,
        allowed,
        least,
        outcomes,
        order,
        sites,
        gradient,
        _reason(verdict, judged, norm),
    )


def _reason(verdict: str, judged: list[Direction], norm: float) -> str:
    if verdict != "inconclusive":
        return ""
    left, right = judged[0].slopes
    if abs(right - left) > JUMP * max(norm, abs(left), abs(right)):
        low, high = sorted((left, right))
        return f"a kink at the point: one-sided slopes {low:.6g} and {high:.6g}"
    return f"too noisy: the smallest tolerance is {judged[0].tolerance / norm:.1e} of |g|"


def _undecided(recorded: Recorded, gradient: Tensor, reason: str) -> GradientCheck:
    return GradientCheck(
        "inconclusive", math.nan, math.nan, math.inf, (), None, recorded.sites, gradient, reason
    )
