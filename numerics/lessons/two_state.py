"""Two states that look alike, three actions: the surrogate keeps rising while the return falls.

    states (start, far), actions (forward, wait, back), gamma = 9/10, one softmax policy for both
    start: forward +1 and go far; wait +0.2; back 0        far: forward -1; wait 0; back: to start
    pi_t = softmax(t u),  u = grad J(0) / |grad J(0)|
    gain(t) = J(pi_t) - J(pi_0)      surrogate(t) = sum_s d_0(s) sum_a pi_t(a) A_0(s, a)

Source: the trust-region lesson's example. Theorems: `surrogate_agrees_to_first_order`,
`surrogate_error_is_exactly_the_visitation_shift`, `trpo_lower_bound`.
Shapes: policies [2,3] with equal rows, logits [3]; every curve maps [] to [].
Sign: a gain is an improvement. The divergence is KL(old || new), the same in both states.
Units: reward for the gains, nats for the divergences; t is a length in logits.
Gradient: every curve is differentiable in t.
Raises: nothing of its own.

>>> from numerics.lessons.lines import point
>>> round(float(surrogate(point(0.25))), 3), round(float(gain(point(0.25))), 3)
(0.464, 0.38)
"""

import math
from functools import cache

import torch
from torch import Tensor

from numerics.lessons import divergence, tabular
from numerics.lessons.lines import peak, root
from numerics.lessons.tabular import Process, Solution

STATES = ("start", "far")
ACTIONS = ("forward", "wait", "back")
FORWARD, WAIT, BACK = range(3)
TRUST = 0.05  # the radius delta of the lesson's trust region, in nats


@cache
def process() -> Process:
    """The decision process."""
    transition = torch.zeros(2, 3, 2, dtype=torch.float64)
    transition[0, FORWARD, 1] = transition[0, WAIT, 0] = transition[0, BACK, 0] = 1
    transition[1, FORWARD, 1] = transition[1, WAIT, 1] = transition[1, BACK, 0] = 1
    reward = torch.tensor([[1.0, 0.2, 0.0], [-1.0, 0.0, 0.0]], dtype=torch.float64)
    return Process(transition, reward, torch.tensor([1.0, 0.0], dtype=torch.float64), 0.9)


def policy(logits: Tensor) -> Tensor:
    """The same softmax in both states, [2,3]."""
    return torch.softmax(logits, -1).expand(2, 3)


@cache
def old() -> Solution:
    """Values of the uniform policy."""
    return tabular.solve(process(), policy(torch.zeros(3, dtype=torch.float64)))


@cache
def direction() -> Tensor:
    """The unit policy gradient u [3] at the uniform policy."""
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    objective = tabular.solve(process(), policy(logits)).objective
    gradient = torch.autograd.grad(objective, logits)[0]
    return gradient / gradient.norm()


def gain(t: Tensor) -> Tensor:
    """The true improvement after a step of length t."""
    return tabular.solve(process(), policy(t * direction())).objective - old().objective


def surrogate(t: Tensor) -> Tensor:
    """The improvement that old data predict."""
    new = policy(t * direction())
    return (old().visitation[:, None] * new * old().advantage).sum()


def divergence_from_old(t: Tensor) -> Tensor:
    """KL(old || new) in either state."""
    return divergence.softmax_divergence(torch.zeros(3, dtype=torch.float64), t * direction())


def quadratic(t: Tensor) -> Tensor:
    """t^2 u^T F u / 2, the Fisher approximation of the divergence."""
    return divergence.fisher_quadratic(torch.zeros(3, dtype=torch.float64), t * direction())


@cache
def peak_step() -> float:
    """The step with the largest true gain."""
    return peak(gain, 0.0, 1.5)


@cache
def zero_step() -> float:
    """The step beyond which the true gain is negative."""
    return root(gain, peak_step(), 4.0)


@cache
def trusted_step(delta: float = TRUST) -> float:
    """The longest step with KL(old || new) <= delta."""
    furthest = 2 * math.sqrt(2 * delta / float(2 * quadratic(torch.ones(()).double()))) + 1
    return root(lambda t: divergence_from_old(t) - delta, 0.0, furthest)


def bound_constant() -> float:
    """4 gamma max|A| / (1 - gamma)^2 at the uniform policy."""
    return tabular.bound_constant(process(), policy(torch.zeros(3, dtype=torch.float64)))
