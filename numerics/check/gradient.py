"""Is the gradient the gradient? Differences along normal directions, with an estimated error.

For a scalar f at x and a direction v with independent standard normal entries, <grad f, v> is
compared with a difference of second order at an rms step of 1e-5. An error e of the gradient shows
as <e, v>, normal with deviation |e| whatever the size of x: with tolerance tau |g| an error r |g|
is missed with probability 0.8 tau / r per direction.

Cost of one direction: two evaluations beside the one forward and backward. Only when that does not
confirm the gradient are further evaluations spent (directional.py), and stop-gradient values
recorded and replayed (frozen.py): a loss that a plain difference confirms holds nothing fixed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile

import torch
from torch import Tensor

from numerics.check.directional import (
    DOUBLE,
    SINGLE,
    Base,
    Direction,
    Scalar,
    along,
    base_at,
    plainly,
    taylor_order,
)
from numerics.check.directions import direction
from numerics.check.frozen import (
    ControlFlowChanged,
    Recorded,
    Replay,
    Site,
    differentiated,
    record,
)
from numerics.check.widened import Widened
from numerics.errors import UnusableInput

WITHOUT_ROUNDING = "checked as if it computed in float64"
_MISS = 0.01  # the minimum detectable error is missed with this probability


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


def evaluator(function: Callable[[Tensor], Tensor], sites: tuple[Site, ...]) -> Scalar:
    """f as a number at another point, with what was frozen at the base point put back."""

    def plain(point: Tensor) -> float:
        try:
            with torch.inference_mode():  # saves a sixth of a forward
                return function(point).item()
        except (RuntimeError, UnusableInput):
            # a loss that differentiates inside needs ordinary tensors
            with torch.no_grad():
                return function(point).item()

    def replayed(point: Tensor) -> float:
        with torch.no_grad(), Replay(sites):
            return function(point).item()

    return replayed if sites else plain


def check_gradient(
    function: Callable[[Tensor], Tensor], point: Tensor, *, seed: int = 0, directions: int = 2
) -> GradientCheck:
    """Check autograd's gradient of a scalar function at a float64 point.

    Verdicts: pass, fail, inconclusive (a kink at the point, noise, or nothing that depends on it).
    Raises UnusableInput when the function has no gradient at all or changes its input.

    >>> import torch
    >>> x = torch.tensor([0.5, -1.0], dtype=torch.float64)
    >>> check_gradient(lambda t: t.exp().sum(), x).verdict
    'pass'
    >>> check_gradient(lambda t: t.abs().sum(), 0 * x).verdict
    'inconclusive'
    """
    lines = [direction(tuple(point.shape), 1000 * seed + k) for k in range(directions)]
    plain = differentiated(function, point)
    if plain is not None:
        base = base_at(evaluator(function, ()), point, *plain)
        each = (plainly(base, line) for line in lines)
        outcomes = tuple(takewhile(lambda outcome: outcome.verdict == "pass", each))
        if len(outcomes) == len(lines):
            return _summary(outcomes, base, lines[0], ())
    return _with_frozen_sites(function, point, lines)


def _with_frozen_sites(
    function: Callable[[Tensor], Tensor], point: Tensor, lines: list[Tensor]
) -> GradientCheck:
    """The check with stop-gradient values held, at the precision that the loss computes in."""
    recorded = record(function, point)
    gradient = recorded.gradients[0]
    if gradient is None:
        gradient = torch.zeros_like(point)
    if recorded.eps > SINGLE.eps:
        return _in_float64(function, point, lines, recorded)
    precision = DOUBLE if recorded.eps < SINGLE.eps else SINGLE
    evaluate = evaluator(function, recorded.sites)
    base = base_at(evaluate, point, recorded.value.item(), gradient, precision)
    try:
        return _checked(base, lines, recorded.sites)
    except ControlFlowChanged as error:
        reason = f"the loss ran other operations at a point nearby: {error}"
        return _undecided(recorded, gradient, reason)


def _in_float64(
    function: Callable[[Tensor], Tensor], point: Tensor, lines: list[Tensor], recorded: Recorded
) -> GradientCheck:
    """Half precision shows no derivative: the same code is checked without its rounding."""
    reason = "the loss computes in half precision"
    gradient = recorded.gradients[0]
    with Widened():
        try:
            widened = record(function, point)
            if widened.eps <= SINGLE.eps:
                return replace(_with_frozen_sites(function, point, lines), reason=WITHOUT_ROUNDING)
        except UnusableInput as error:  # such as a loss that asserts what it is given
            reason = f"{reason}, and not in float64: {error.what}"
    return _undecided(recorded, torch.zeros_like(point) if gradient is None else gradient, reason)


def _checked(base: Base, lines: list[Tensor], sites: tuple[Site, ...]) -> GradientCheck:
    outcomes = tuple(along(base, line) for line in lines)
    return _summary(outcomes, base, lines[0], sites)


def _summary(
    outcomes: tuple[Direction, ...], base: Base, line: Tensor, sites: tuple[Site, ...]
) -> GradientCheck:
    gradient, order = base.gradient, outcomes[0].order
    if order is None:
        order = taylor_order(base, line)
    norm = base.norm or max(abs(o.difference) for o in outcomes)
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
