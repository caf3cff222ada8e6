"""Planted wrong backward passes: what this check and torch's gradcheck say, side by side.

    python -m tests.benchmarks.planted_gradients [SEEDS]

Slow gradcheck runs at the smallest shape only; at (4, 32, 256) it would take some 32,000 forward
and backward passes.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.check.gradient import check_gradient
from tests.numerics.planted import MISTAKES, SHAPES, logits_sample, planted, twin


@dataclass(frozen=True)
class Row:
    """How many of the seeds each check refused; None where it was not run."""

    shape: tuple[int, ...]
    name: str
    ours: int
    fast: int
    slow: int | None


def refused_by_gradcheck(function: Callable[[Tensor], Tensor], point: Tensor, fast: bool) -> bool:
    """Whether torch's gradcheck, with its defaults, refuses."""
    leaf = point.detach().requires_grad_()
    return not torch.autograd.gradcheck(function, leaf, fast_mode=fast, raise_exception=False)


def row(shape: Mapping[str, int], name: str, seeds: int) -> Row:
    """One mistake (or the correct twin) at one shape over some seeds."""
    wrong = MISTAKES.get(name, twin)
    counts = [0, 0, 0]
    small = shape == SHAPES[0]
    for seed in range(seeds):
        inputs = logits_sample(shape, seed)
        function, point = planted(wrong, inputs), inputs["logits"]
        counts[0] += check_gradient(function, point, seed=seed).verdict == "fail"
        counts[1] += refused_by_gradcheck(function, point, fast=True)
        counts[2] += small and refused_by_gradcheck(function, point, fast=False)
    return Row(tuple(shape.values()), name, counts[0], counts[1], counts[2] if small else None)


def main(seeds: int = 20) -> None:
    """Print the table: refused out of `seeds`."""
    torch.set_num_threads(1)
    print(f"refused out of {seeds}")
    print(f"{'(B, T, V)':14} {'backward pass':20} {'this check':>10} {'fast':>6} {'slow':>6}")
    for shape in SHAPES:
        for name in ("correct", *MISTAKES):
            r = row(shape, name, seeds)
            slow = "-" if r.slow is None else r.slow
            print(f"{r.shape!s:14} {r.name:20} {r.ours:>10} {r.fast:>6} {slow:>6}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
