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
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import torch
from torch import Tensor

from numerics.check.frozen import ControlFlowChanged, Recorded, Site, record, replaying

STEP = 1e-5  # rms step relative to the input's rms; float64 loses accuracy on both sides of it
SHRINK = (1.0, 0.1, 0.01)
_MISS = 0.01  # the minimum detectable error is missed with this probability


@dataclass(frozen=True)
class Precision:
    """How a loss that computes with rounding unit eps is probed.

    step     relative rms step, where truncation and rounding balance
    widest   a relative tolerance above this decides nothing: it could hide a factor
    jump     one-sided slopes further apart (relative) are a kink or need a smaller step
    """

    eps: float
    step: float
    widest: float
    jump: float


DOUBLE = Precision(torch.finfo(torch.float64).eps, STEP, 1e-5, 1e-3)
SINGLE = Precision(torch.finfo(torch.float32).eps, 3e-3, 5e-3, 0.3)


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
    if recorded.eps > SINGLE.eps:
        return _undecided(recorded, gradient, "the loss computes in half precision")
    precision = DOUBLE if recorded.eps < SINGLE.eps else SINGLE
    evaluate = evaluator(function, recorded.sites)
    lines = [direction(tuple(point.shape), 1000 * seed + k) for k in range(directions)]
    try:
        base = recorded.value.item()
        outcomes = [along(evaluate, point, base, gradient, line, precision) for line in lines]
        order = taylor_order(evaluate, point, base, gradient, lines[0], precision)
    except ControlFlowChanged as error:
        return _undecided(
            recorded, gradient, f"the loss ran other operations at a point nearby: {error}"
        )
    return _summary(tuple(outcomes), gradient, order, recorded.sites)


def along(
    evaluate: Scalar,
    point: Tensor,
    base: float,
    gradient: Tensor,
    line: Tensor,
    precision: Precision = DOUBLE,
) -> Direction:
    """Compare the two derivatives along one direction."""
    slope = torch.dot(gradient.reshape(-1), line.reshape(-1)).item()
    norm = torch.linalg.vector_norm(gradient).item()
    step = precision.step * root_mean_square(point)
    moved = point.add(line, alpha=step)
    above = evaluate(moved)
    below = evaluate(torch.sub(point, line, alpha=step, out=moved))
    difference = (above - below) / (2 * step)
    slopes = ((base - below) / step, (above - base) / step)
    rounding = 2 * precision.eps * max(abs(above), abs(below)) / step
    # Truncation: a smooth third derivative is about as large as the first. Autograd rounds too.
    tolerance = rounding + step**2 * norm + 500 * precision.eps * norm
    scale = max(norm, abs(difference))
    smooth = abs(slopes[1] - slopes[0]) <= precision.jump * scale
    if abs(difference - slope) <= tolerance <= precision.widest * scale and smooth:
        return Direction("pass", slope, difference, tolerance, step, slopes)
    return _closer(Line(evaluate, point, base, slope, norm, line, step, precision))


@dataclass(frozen=True)
class Line:
    """A direction at a point: f, x, f(x), <g, v>, |g|, v, the step, the precision."""

    evaluate: Scalar
    point: Tensor
    base: float
    slope: float
    norm: float
    line: Tensor
    step: float
    precision: Precision


@dataclass(frozen=True)
class Stencil:
    """Seven points at one step: derivatives of sixth and fourth order, one-sided slopes, noise."""

    step: float
    sixth: float
    fourth: float
    slopes: tuple[float, float]
    noise: float


def _closer(line: Line) -> Direction:
    """Seven points at three steps. Wrong at two smooth steps is wrong; right at one is right."""
    first = _stencil(line, 1.0)
    outcome = _judged(line, first, first.noise)
    if outcome.verdict == "pass":
        return outcome
    stencils = [first, *(_stencil(line, shrink) for shrink in SHRINK[1:])]
    # The noise of f does not depend on the step, but a kink inside a larger stencil looks like it.
    rough = [max(smaller.noise for smaller in stencils[i:]) for i in range(len(stencils))]
    outcomes = [_judged(line, s, noise) for s, noise in zip(stencils, rough, strict=True)]
    for outcome in outcomes:
        if outcome.verdict == "pass":
            return outcome
    wrong = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    if len(wrong) < 2:
        return _at_a_kink(line, outcomes)
    errors = [outcome.difference - line.slope for outcome in wrong[:2]]
    same = abs(errors[0] - errors[1]) <= 0.5 * max(map(abs, errors))
    return wrong[0] if same else replace(wrong[0], verdict="inconclusive")


def _at_a_kink(line: Line, outcomes: list[Direction]) -> Direction:
    """Undecided, unless the gradient is outside the interval of one-sided slopes at every step."""
    slack = 0.0
    for outcome in outcomes:
        low, high = sorted(outcome.slopes)
        slack = 0.1 * max(abs(low), abs(high)) + 1e-3 * line.norm
        if high - low <= slack or low - slack <= line.slope <= high + slack:
            return replace(outcomes[-1], verdict="inconclusive")
    return replace(outcomes[0], verdict="fail", tolerance=slack)


def _stencil(line: Line, shrink: float) -> Stencil:
    step = line.step * shrink
    values = [
        line.evaluate(line.point.add(line.line, alpha=k * step)) if k else line.base
        for k in range(-3, 4)
    ]
    odd = [values[3 + k] - values[3 - k] for k in (1, 2, 3)]
    return Stencil(
        step=step,
        sixth=(45 * odd[0] - 9 * odd[1] + odd[2]) / (60 * step),
        fourth=(8 * odd[0] - odd[1]) / (12 * step),
        slopes=((line.base - values[2]) / step, (values[4] - line.base) / step),
        noise=noise_of(values, line.precision.eps),
    )


def _judged(line: Line, stencil: Stencil, noise: float) -> Direction:
    scale = max(line.norm, abs(stencil.sixth))
    rounding = 8 * noise / stencil.step
    truncation = 4 * abs(stencil.sixth - stencil.fourth)
    tolerance = rounding + truncation + 500 * line.precision.eps * line.norm
    jump = line.precision.jump * scale + 4 * rounding
    left, right = stencil.slopes
    if abs(right - left) > jump or tolerance > line.precision.widest * scale:
        verdict = "inconclusive"
    else:
        verdict = "pass" if abs(stencil.sixth - line.slope) <= tolerance else "fail"
    return Direction(verdict, line.slope, stencil.sixth, tolerance, stencil.step, stencil.slopes)


def noise_of(values: list[float], eps: float = DOUBLE.eps) -> float:
    """The rounding noise of f from its values at equal steps: differences of order 4 and above hold
    nothing else.
    """
    table, estimate = list(values), eps * max(map(abs, values)) / 2
    for order in range(1, len(values)):
        table = [b - a for a, b in pairwise(table)]
        if order >= 4:
            mean_square = sum(entry**2 for entry in table) / len(table)
            estimate = max(estimate, math.sqrt(mean_square / math.comb(2 * order, order)))
    return estimate


def taylor_order(
    evaluate: Scalar,
    point: Tensor,
    base: float,
    gradient: Tensor,
    line: Tensor,
    precision: Precision = DOUBLE,
) -> float | None:
    """log2 of the ratio of the remainders f(x + tv) - f(x) - t<g, v> at t and t/2: 2 for a
    gradient, 1 for a wrong one.

    None when the remainders are rounding: f is linear along v.
    """
    slope = torch.dot(gradient.reshape(-1), line.reshape(-1)).item()
    steps = [t * root_mean_square(point) for t in (100 * precision.step, 50 * precision.step)]
    rest = [abs(evaluate(point.add(line, alpha=t)) - base - t * slope) for t in steps]
    if min(rest) <= 100 * precision.eps * max(abs(base), abs(steps[0] * slope)):
        return None
    return math.log2(rest[0] / rest[1])


def _summary(
    outcomes: tuple[Direction, ...], gradient: Tensor, order: float | None, sites: tuple[Site, ...]
) -> GradientCheck:
    norm = torch.linalg.vector_norm(gradient).item()
    norm = norm or max(abs(o.difference) for o in outcomes)
    norm = norm or max(abs(slope) for o in outcomes for slope in o.slopes)
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
    if abs(right - left) > DOUBLE.jump * max(norm, abs(left), abs(right)):
        low, high = sorted((left, right))
        return f"a kink at the point: one-sided slopes {low:.6g} and {high:.6g}"
    return f"too noisy: the smallest tolerance is {judged[0].tolerance / norm:.1e} of |g|"


def _undecided(recorded: Recorded, gradient: Tensor, reason: str) -> GradientCheck:
    return GradientCheck(
        "inconclusive", math.nan, math.nan, math.inf, (), None, recorded.sites, gradient, reason
    )
