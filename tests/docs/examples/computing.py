"""What the examples are computed with."""

from __future__ import annotations

import math
from fractions import Fraction as F

import torch

from numerics.lessons.divergence import law, relative_entropy
from numerics.lessons.tabular import Process, Solution, solve


def kl(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    return float(relative_entropy(law(*p), law(*q)))


def mean(p: tuple[float, ...], values: list[float]) -> float:
    return sum(x * v for x, v in zip(p, values, strict=True))


def k3(p: tuple[float, ...], q: tuple[float, ...]) -> float:
    """E_q[k3] with r = p/q."""
    kept = [(a / b, b) for a, b in zip(p, q, strict=True) if b]
    return sum(b * (r - 1 - math.log(r)) for r, b in kept)


def bandit(rewards: tuple[float, ...], policy: tuple[float, ...], gamma: float) -> Solution:
    """One state."""
    n = len(rewards)
    process = Process(
        torch.ones(1, n, 1, dtype=torch.float64),
        torch.tensor([rewards], dtype=torch.float64),
        law(1.0),
        gamma,
    )
    return solve(process, law(*policy)[None])


def fraction(x: object) -> str:
    found = F(float(x)).limit_denominator(100)  # type: ignore[arg-type]
    assert abs(float(found) - float(x)) < 1e-12  # type: ignore[arg-type]
    return str(found)


def row(xs: object) -> str:
    return f"({', '.join(map(fraction, xs))})"  # type: ignore[call-overload]


def leaving(gamma: float, alpha: float) -> tuple[Process, torch.Tensor, torch.Tensor]:
    """a₁ leads from y₀ to y₁ for good; π stays, π′ leaves with probability alpha."""
    move = torch.zeros(2, 2, 2, dtype=torch.float64)
    move[0, 0, 0] = move[1, 0, 1] = move[0, 1, 1] = move[1, 1, 1] = 1
    reward = torch.tensor([[0, 0], [1, 1]], dtype=torch.float64)
    stay, leave = law(1.0, 0.0).expand(2, 2), law(1 - alpha, alpha).expand(2, 2)
    return Process(move, reward, law(1.0, 0.0), gamma), stay, leave


def shift(gamma: float, alpha: float) -> float:
    process, old, new = leaving(gamma, alpha)
    both = solve(process, new).visitation - solve(process, old).visitation
    return float(both.abs().sum())
