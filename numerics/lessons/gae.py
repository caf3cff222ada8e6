"""Generalised advantage estimation, with terminations and truncations told apart.

    delta_t = r_t + gamma (1 - terminated_t) V(next_t) - V(s_t)
    A_t = delta_t + gamma lambda (1 - terminated_t) (1 - truncated_t) A_{t+1}
    R_t = A_t + V(s_t)

R_t is the lambda-return r_t + gamma ((1 - lambda) V_{t+1} + lambda R_{t+1}); at a termination it is
r_t, at a truncation r_t + gamma V(the true final state), and the recursion restarts after both.

Source: Schulman et al., High-Dimensional Continuous Control Using GAE (2016), equation 16.
Theorem: `generalised_advantage_telescopes`.
Shapes: rewards, values, next_values [..., T]; terminated, truncated [..., T] (0/1); results the
same. next_values[t] is V of the state that step t really led to, not of a reset. The last column
is treated as truncated.
Sign: A > 0 means better than V promised.
Units: those of the reward.
Gradient: flows through rewards and values; callers hold the results fixed.
Raises: UnusableInput for shapes that differ, and for gamma or lambda off [0, 1].

>>> import torch
>>> r, v, end = torch.ones(2), torch.zeros(2), torch.tensor([0.0, 1.0])
>>> gae(r, v, v, end, 0 * end, gamma=0.5, lam=1.0).advantages.tolist()
[1.5, 1.0]
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.errors import UnusableInput


@dataclass(frozen=True, eq=False)
class Estimates:
    """`advantages` A_t and value targets `returns` R_t = A_t + V(s_t)."""

    advantages: Tensor
    returns: Tensor


def gae(
    rewards: Tensor,
    values: Tensor,
    next_values: Tensor,
    terminated: Tensor,
    truncated: Tensor,
    *,
    gamma: float,
    lam: float,
) -> Estimates:
    """Advantages and value targets of each step."""
    _require(rewards, values, next_values, terminated, truncated)
    for name, number in (("gamma", gamma), ("lambda", lam)):
        if not 0 <= number <= 1:
            raise UnusableInput(name, expected=f"0 <= {name} <= 1", got=str(number))
    alive = 1 - terminated.to(values.dtype)
    residuals = rewards + gamma * alive * next_values - values
    carry = gamma * lam * alive * (1 - truncated.to(values.dtype))
    following, found = torch.zeros_like(residuals[..., 0]), []
    for t in reversed(range(residuals.shape[-1])):
        following = residuals[..., t] + carry[..., t] * following
        found.append(following)
    advantages = torch.stack(found[::-1], -1)
    return Estimates(advantages, advantages + values)


def _require(*tensors: Tensor) -> None:
    shapes = {tuple(tensor.shape) for tensor in tensors}
    if len(shapes) > 1:
        raise UnusableInput("shapes differ", expected="five tensors [..., T]", got=str(shapes))
