"""The chance that one of k samples is right, from n samples of which c were right.

    estimate = 1 - C(n - c, k) / C(n, k)
    its mean over c ~ Bin(n, p) is 1 - (1 - p)^k;  the plug-in 1 - (1 - c/n)^k is too low for k >= 2

Source: Chen et al., Evaluating Large Language Models Trained on Code (2021), equation 1. Theorem:
`pass_at_k_estimator_is_unbiased`.
Shapes: numbers in, a number out.
Sign: a probability.
Units: none.
Gradient: none.
Raises: UnusableInput unless 0 <= c <= n and 1 <= k <= n.

>>> pass_at_k(4, 1, 2), plug_in(4, 1, 2)
(0.5, 0.4375)
"""

from collections.abc import Callable
from math import comb

from numerics.errors import UnusableInput


def pass_at_k(n: int, c: int, k: int) -> float:
    """The unbiased estimate."""
    _require(n, c, k)
    # Integers of any size; Python divides them without overflow.
    return 1 - comb(n - c, k) / comb(n, k)


def plug_in(n: int, c: int, k: int) -> float:
    """1 - (1 - c/n)^k: biased low."""
    _require(n, c, k)
    return 1 - (1 - c / n) ** k


def expected(estimate: Callable[[int, int, int], float], n: int, p: float, k: int) -> float:
    """The mean of an estimate over c ~ Bin(n, p)."""
    chances = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    return sum(chance * estimate(n, c, k) for c, chance in enumerate(chances))


def _require(n: int, c: int, k: int) -> None:
    if not (0 <= c <= n and 1 <= k <= n):
        raise UnusableInput("counts", None, "0 <= c <= n and 1 <= k <= n", f"n={n}, c={c}, k={k}")
