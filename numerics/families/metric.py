"""Metrics of counts: n samples of a problem, c of them right, and k give a number.

n, c, k whole numbers, passed as Python integers
"""

import torch
from torch import Tensor

from numerics.families import WHOLE, Argument, Family, Inputs, Shape
from numerics.families.policy import generator

# (n, c, k) by seed: between, none right, all right, k = n, k = 1, fewer than k wrong.
COUNTS = ((6, 2, 3), (6, 0, 3), (6, 6, 3), (5, 1, 5), (7, 3, 1), (8, 6, 4))
LARGE = ((200, 3, 100), (400, 150, 1), (1100, 1, 500))  # binomials beyond float64's range


def sample(shape: Shape, seed: int, regime: str) -> dict[str, Tensor]:
    """Counts stored as float64: `near` drawn at random, `moderate` the branches, `far` large."""
    if regime == "near":
        n, c, k = _drawn(seed)
    else:
        table = LARGE if regime == "far" else COUNTS
        n, c, k = table[seed % len(table)]
    return {
        name: torch.tensor(float(x), dtype=torch.float64)
        for name, x in (("n", n), ("c", c), ("k", k))
    }


def _drawn(seed: int) -> tuple[int, int, int]:
    rng = generator(seed)
    n = int(torch.randint(4, 20, (), generator=rng))
    c, k = (int(torch.randint(1, n, (), generator=rng)) for _ in range(2))
    return n, c, k


def coverage(inputs: Inputs) -> dict[str, int]:
    """Which case the counts are."""
    n, c, k = (float(inputs[name]) for name in ("n", "c", "k"))
    return {
        "none right": int(c == 0),
        "all right": int(c == n),
        "fewer than k wrong": int(n - c < k),
        "between": int(0 < c <= n - k),
        "k = 1": int(k == 1),
    }


FAMILY = Family(
    name="metric",
    arguments=(
        Argument("n", ("",), "how many samples were drawn", WHOLE),
        Argument("c", ("",), "how many of them were right", WHOLE),
        Argument("k", ("",), "how many may be tried", WHOLE),
    ),
    required=frozenset({"n", "c", "k"}),
    differentiated="c",
    sample=sample,
    coverage=coverage,
    held=True,
    properties=frozenset({"matches_the_specification"}),
    shapes=({},),
)
