"""The derivative of a scalar along one direction, and how far it can be trusted.

A difference of two points first; where it does not confirm the gradient, a seven-point stencil
gives a derivative of sixth order, its truncation error and, by Hamming's difference table, the
noise of f itself. Smaller steps tell a kink nearby from a kink at the point and both from a wrong
gradient.

Source: More and Wild (2011) for the noise. The steps were measured on clipped losses.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import torch
from torch import Tensor

STEP = 1e-5  # rms step relative to the input's rms; float64 loses accuracy on both sides of it
SHRINK = (1.0, 0.1, 0.01)
GROWTH = (10.0, 100.0, 1000.0)

Scalar = Callable[[Tensor], float]


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
    the Taylor order (None where rounding hides it), the verdict.
    """

    verdict: str
    autograd: float
    difference: float
    tolerance: float
    step: float
    slopes: tuple[float, float]
    order: float | None = None


def root_mean_square(point: Tensor) -> float:
    """The scale of an input, from its first entries (all, if those are zero); one for zeros."""
    flat = point.reshape(-1)
    some = flat[:1000]
    found = length(some) / math.sqrt(max(some.numel(), 1))
    return found or length(flat) / math.sqrt(max(flat.numel(), 1)) or 1.0


def length(vector: Tensor) -> float:
    """The Euclidean norm; a dot product is twice as fast as torch's norm."""
    flat = vector.reshape(-1)
    return math.sqrt(torch.dot(flat, flat).item())


@dataclass(frozen=True)
class Base:
    """The base point: f, x, f(x), the gradient that is claimed there, the precision of f.

    norm   |g|, the scale of every error
    scale  the rms of x, the scale of every step
    """

    evaluate: Scalar
    point: Tensor
    value: float
    gradient: Tensor
    precision: Precision
    norm: float
    scale: float


def base_at(
    evaluate: Scalar,
    point: Tensor,
    value: float,
    gradient: Tensor,
    precision: Precision = DOUBLE,
) -> Base:
    """The base point, measured at once: the gradient is still in the processor's caches."""
    norm = length(gradient)
    return Base(evaluate, point, value, gradient, precision, norm, root_mean_square(point))


@dataclass(frozen=True)
class Line:
    """A direction v at a base point, <g, v>, and the absolute step."""

    base: Base
    vector: Tensor
    slope: float
    step: float


def along(base: Base, vector: Tensor) -> Direction:
    """Compare the gradient with differences along one direction."""
    found = plainly(base, vector)
    return found if found.verdict == "pass" else _closer(base, vector, found)


def plainly(base: Base, vector: Tensor) -> Direction:
    """The same with two evaluations, f(x + tv) and f(x - 2tv): pass, or inconclusive.

    Their one-sided slopes, two to one, have a mean without the second derivative; and steps of two
    sizes give the Taylor order, which f(x + tv) and f(x - tv) would not.
    """
    slope = torch.dot(base.gradient.reshape(-1), vector.reshape(-1)).item()
    step = base.precision.step * base.scale
    moved = base.point.add(vector, alpha=step)
    above = base.evaluate(moved)
    below = base.evaluate(moved.sub_(vector, alpha=3 * step))
    left, right = (base.value - below) / (2 * step), (above - base.value) / step
    difference = (left + 2 * right) / 3
    rounding = 3 * base.precision.eps * max(abs(above), abs(below)) / step
    # Truncation: a smooth third derivative is about as large as the first. Autograd rounds too.
    tolerance = rounding + (2 * step**2 + 500 * base.precision.eps) * base.norm
    scale = max(base.norm, abs(difference))
    smooth = abs(right - left) <= base.precision.jump * scale
    right_here = abs(difference - slope) <= tolerance <= base.precision.widest * scale and smooth
    order = _order(base, slope, (step, above), (-2 * step, below))
    verdict = "pass" if right_here else "inconclusive"
    return Direction(verdict, slope, difference, tolerance, step, (left, right), order)


@dataclass(frozen=True)
class Stencil:
    """Seven points at one step: derivatives of sixth and fourth order, one-sided slopes, how far
    these are apart beyond what a curvature explains, noise.
    """

    step: float
    sixth: float
    fourth: float
    slopes: tuple[float, float]
    jump: float
    noise: float


def _closer(base: Base, vector: Tensor, found: Direction) -> Direction:
    """What seven points at three steps say, with the order that two said."""
    line = Line(base, vector, found.autograd, found.step)
    rounding = 20 * base.precision.eps * abs(base.value) / found.step
    hidden = rounding > base.precision.widest * max(base.norm, abs(found.difference))
    outcome = _at_larger_steps(line) if hidden else None
    return replace(outcome or _at_smaller_steps(line), order=found.order)


def _at_larger_steps(line: Line) -> Direction | None:
    """Where a value is so large that its rounding hides its derivative: right at one step is right,
    wrong at two is wrong, None when they do not decide.
    """
    wrong = []
    for growth in GROWTH:
        stencil = _stencil(line, growth)
        outcome = _judged(line, stencil, stencil.noise)
        if outcome.verdict == "pass":
            return outcome
        if outcome.verdict == "fail":
            wrong.append(outcome)
    return wrong[0] if len(wrong) > 1 and _same_error(line, *wrong[:2]) else None


def _same_error(line: Line, one: Direction, other: Direction) -> bool:
    errors = [outcome.difference - line.slope for outcome in (one, other)]
    return abs(errors[0] - errors[1]) <= 0.5 * max(map(abs, errors))


def _at_smaller_steps(line: Line) -> Direction:
    """Wrong at two smooth steps is wrong; right at one is right."""
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
    return wrong[0] if _same_error(line, *wrong[:2]) else replace(wrong[0], verdict="inconclusive")


def _at_a_kink(line: Line, outcomes: list[Direction]) -> Direction:
    """Undecided, unless the gradient is outside the interval of one-sided slopes at every step."""
    slack = 0.0
    for outcome in outcomes:
        low, high = sorted(outcome.slopes)
        slack = 0.1 * max(abs(low), abs(high)) + 1e-3 * line.base.norm
        if high - low <= slack or low - slack <= line.slope <= high + slack:
            return replace(outcomes[-1], verdict="inconclusive")
    return replace(outcomes[0], verdict="fail", tolerance=slack)


def _stencil(line: Line, shrink: float) -> Stencil:
    step = line.step * shrink
    values = [
        line.base.evaluate(line.base.point.add(line.vector, alpha=k * step))
        if k
        else line.base.value
        for k in range(-3, 4)
    ]
    odd = [values[3 + k] - values[3 - k] for k in (1, 2, 3)]
    # A curvature bends alike at every distance; a kink at the point bends less the farther one is.
    bends = [(values[3 + k] - 2 * line.base.value + values[3 - k]) / k**2 for k in (1, 2, 3)]
    return Stencil(
        step=step,
        sixth=(45 * odd[0] - 9 * odd[1] + odd[2]) / (60 * step),
        fourth=(8 * odd[0] - odd[1]) / (12 * step),
        slopes=((line.base.value - values[2]) / step, (values[4] - line.base.value) / step),
        jump=max(2.0 * abs(bends[0] - bends[1]), 1.5 * abs(bends[0] - bends[2])) / step,
        noise=noise_of(values, line.base.precision.eps),
    )


def _judged(line: Line, stencil: Stencil, noise: float) -> Direction:
    scale = max(line.base.norm, abs(stencil.sixth))
    rounding = 8 * noise / stencil.step
    truncation = 4 * abs(stencil.sixth - stencil.fourth)
    tolerance = rounding + truncation + 500 * line.base.precision.eps * line.base.norm
    jump = line.base.precision.jump * scale + 4 * rounding
    if stencil.jump > jump or tolerance > line.base.precision.widest * scale:
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


def taylor_order(base: Base, vector: Tensor) -> float | None:
    """2 for a gradient, 1 for a wrong one, from the remainders at two larger steps."""
    slope = torch.dot(base.gradient.reshape(-1), vector.reshape(-1)).item()
    steps = [t * base.precision.step * base.scale for t in (50, 100)]
    near, far = ((t, base.evaluate(base.point.add(vector, alpha=t))) for t in steps)
    return _order(base, slope, near, far)


def _order(
    base: Base, slope: float, near: tuple[float, float], far: tuple[float, float]
) -> float | None:
    """log2 of the ratio of two remainders f(x + tv) - f(x) - t<g, v>, the second at twice the t.

    None when they are rounding: f is linear along v, or the steps are too small.
    """
    small, large = (abs(value - base.value - t * slope) for t, value in (near, far))
    noise = 100 * base.precision.eps * max(abs(base.value), abs(far[0] * slope))
    return None if min(small, large) <= noise else math.log2(large / small)
