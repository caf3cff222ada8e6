"""Exact values, visitations and gradients of a finite discounted process, by linear algebra.

    V = (I - gamma P_pi)^-1 r_pi          Q = r + gamma P V          A = Q - V
    d = (I - gamma P_pi^T)^-1 p0          J = p0 . V = sum_s d(s) r_pi(s)
    dJ/dpi(a|s) = d(s) Q(s, a)            dJ/dlogit(s, a) = d(s) pi(a|s) A(s, a)
    L_pi(pi') = sum_s d_pi(s) sum_a pi'(a|s) A_pi(s, a)

Source: Puterman, Markov Decision Processes (1994), chapter 6; Sutton et al., Policy Gradient
Methods (1999), theorem 1. Theorems: `value_solves_the_bellman_equation`,
`visitation_sums_to_one_over_one_minus_gamma`, `policy_gradient`, `performance_difference`.
Shapes: transition [S,A,S], reward [S,A], start [S], policy [S,A]; V and d [S], Q and A [S,A], J [].
Sign: J is maximised. d is not normalised: it sums to 1 / (1 - gamma).
Units: those of the reward.
Gradient: `solve` is differentiable in the policy, so autograd of J is a check on both formulas.
Raises: UnusableInput for shapes that do not fit, laws that do not sum to one, gamma off [0, 1).

>>> import torch
>>> stay = torch.ones(1, 1, 1, dtype=torch.float64)
>>> loop = Process(stay, torch.ones(1, 1, dtype=torch.float64), stay[0, 0], 0.9)
>>> round(float(solve(loop, stay[0]).objective), 6)
10.0
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.lessons.divergence import require_law


@dataclass(frozen=True, eq=False)
class Process:
    """A finite decision process.

    transition  P(s'|s,a), [S,A,S]
    reward      r(s,a), [S,A]
    start       p0(s), [S]
    gamma       the discount
    """

    transition: Tensor
    reward: Tensor
    start: Tensor
    gamma: float

    def __post_init__(self) -> None:
        states, actions = self.reward.shape
        expected = {"transition": (states, actions, states), "start": (states,)}
        for name, shape in expected.items():
            got = tuple(getattr(self, name).shape)
            if got != shape:
                raise UnusableInput(f"{name} has the wrong shape", None, str(shape), str(got))
            require_law(getattr(self, name), name)
        if not 0 <= self.gamma < 1:
            raise UnusableInput("gamma", expected="0 <= gamma < 1", got=str(self.gamma))


@dataclass(frozen=True, eq=False)
class Solution:
    """The exact values of one policy.

    value         V [S]
    action_value  Q [S,A]
    advantage     A [S,A]
    visitation    d [S], unnormalised
    objective     J []
    """

    value: Tensor
    action_value: Tensor
    advantage: Tensor
    visitation: Tensor
    objective: Tensor


def solve(process: Process, policy: Tensor) -> Solution:
    """Everything about one policy [S,A]; differentiable in the policy.

    The policy is not required to sum to one, so that its entries can be moved one at a time.
    """
    if policy.shape != process.reward.shape:
        expected, got = str(tuple(process.reward.shape)), str(tuple(policy.shape))
        raise UnusableInput("the policy has the wrong shape", None, expected, got)
    chain = torch.einsum("sa,sau->su", policy, process.transition)
    reward = (policy * process.reward).sum(-1)
    system = torch.eye(len(reward), dtype=chain.dtype) - process.gamma * chain
    value = torch.linalg.solve(system, reward)
    visitation = torch.linalg.solve(system.T, process.start)
    action_value = process.reward + process.gamma * process.transition @ value
    advantage = action_value - value[:, None]
    return Solution(value, action_value, advantage, visitation, process.start @ value)


def policy_gradient(process: Process, policy: Tensor) -> Tensor:
    """dJ/dpi [S,A] = d(s) Q(s, a), each entry moved by itself."""
    of = solve(process, policy)
    return of.visitation[:, None] * of.action_value


def softmax_gradient(process: Process, logits: Tensor) -> Tensor:
    """dJ/dlogit [S,A] = d(s) pi(a|s) A(s, a) for a softmax policy with a logit for each pair."""
    policy = torch.softmax(logits, -1)
    of = solve(process, policy)
    return of.visitation[:, None] * policy * of.advantage


def surrogate(process: Process, old: Tensor, new: Tensor) -> Tensor:
    """L_old(new) [] on the states of the old policy; differentiable in the new policy."""
    of = solve(process, old)
    return (of.visitation[:, None] * new * of.advantage).sum()


def gain(process: Process, old: Tensor, new: Tensor) -> Tensor:
    """J(new) - J(old) []."""
    return solve(process, new).objective - solve(process, old).objective


def bound_constant(process: Process, policy: Tensor) -> float:
    """C = 4 gamma max|A| / (1 - gamma)^2 of the lower bound L - C max_s KL(old || new)."""
    largest = solve(process, policy).advantage.abs().max()
    return float(4 * process.gamma * largest / (1 - process.gamma) ** 2)
