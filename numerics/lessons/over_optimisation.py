"""What beta buys when the reward grows with the distance, and where a true reward turns down.

    d = sqrt(KL)      proxy: maximise d - beta d^2,  d* = 1/(2 beta),  objective 1/(4 beta)
    gold: R(d) = d (a - b log d), largest at exp(a/b - 1), where it is b exp(a/b - 1)
    penalised gold: R(d) - beta d^2, largest at (b / (2 beta)) W((2 beta / b) exp(a/b - 1))

W is Lambert's function: W(x) exp(W(x)) = x.

Source: Gao et al., Scaling Laws for Reward Model Overoptimization (2022), equation 1. Theorems:
`halving_beta_quadruples_the_divergence`, `gold_reward_peaks`.
Shapes: d any shape; the rest numbers.
Sign: every objective is maximised.
Units: d in the root of nats; R in that of the reward.
Gradient: `gold` is differentiable in d > 0.
Raises: UnusableInput for beta <= 0, b <= 0, or W off x >= 0.

>>> bought(0.5).distance, bought(0.25).distance, bought(0.25).divergence / bought(0.5).divergence
(1.0, 2.0, 4.0)
"""

import math
from dataclasses import dataclass

from torch import Tensor

from numerics.errors import UnusableInput

NEWTON_STEPS = 60


@dataclass(frozen=True)
class Bought:
    """The optimum of d - beta d^2.

    distance    d
    divergence  d^2, in nats
    reward      d, in the unit of the reward
    objective   d - beta d^2
    """

    distance: float
    divergence: float
    reward: float
    objective: float


def bought(beta: float) -> Bought:
    """Distance, KL, reward and penalised objective that a beta leads to."""
    _positive("beta", beta)
    distance = 1 / (2 * beta)
    divergence = distance**2
    return Bought(distance, divergence, distance, distance - beta * divergence)


def gold(d: Tensor, a: float, b: float) -> Tensor:
    """R(d) = d (a - b log d); its limit 0 at d = 0 is left to the caller."""
    return d * (a - b * d.log())


def gold_peak(a: float, b: float) -> tuple[float, float]:
    """The distance at which R is largest, and R there."""
    _positive("b", b)
    distance = math.exp(a / b - 1)
    return distance, b * distance


def penalised_peak(a: float, b: float, beta: float) -> float:
    """The distance at which R(d) - beta d^2 is largest."""
    _positive("b", b)
    _positive("beta", beta)
    return b / (2 * beta) * lambert(2 * beta / b * math.exp(a / b - 1))


def lambert(x: float) -> float:
    """W(x) for x >= 0, by Newton on w + log w = log x, which is concave: it cannot overshoot."""
    if x < 0:
        raise UnusableInput("Lambert's function here", expected="x >= 0", got=str(x))
    if x == 0:
        return 0.0
    w = math.log1p(x)
    for _ in range(NEWTON_STEPS):
        w = w * (1 + math.log(x) - math.log(w)) / (1 + w)
    return w


def _positive(name: str, number: float) -> None:
    if not number > 0:
        raise UnusableInput(name, expected="above 0", got=str(number))
