"""Zeros and peaks of smooth functions of one real variable.

    root:  f(x) = 0 by bisection;    peak:  f'(x) = 0 by bisection on the slope

Source: the intermediate value theorem.
Shapes: every x and f(x) is a scalar [].
Sign: `peak` wants the slope to fall through zero, from plus to minus.
Units: those of the function.
Gradient: none flows through the result; `slope` differentiates f by autograd.
Raises: UnusableInput when the ends of the interval do not enclose a change of sign.

>>> import torch
>>> round(root(lambda x: x**2 - 2, 0.0, 2.0), 6)
1.414214
>>> round(peak(lambda x: -((x - 0.5) ** 2), 0.0, 2.0), 6)
0.5
"""

from collections.abc import Callable

import torch
from torch import Tensor

from numerics.errors import UnusableInput

Curve = Callable[[Tensor], Tensor]
HALVINGS = 60  # an interval of length 8 shrinks to the spacing of doubles near one


def point(x: float) -> Tensor:
    """A scalar in float64."""
    return torch.tensor(x, dtype=torch.float64)


def slope(f: Curve, x: float) -> float:
    """f'(x) by autograd."""
    at = point(x).requires_grad_()
    return float(torch.autograd.grad(f(at), at)[0])


def root(f: Curve, low: float, high: float) -> float:
    """The zero of f between two points where its signs differ."""
    return _bisected(lambda x: float(f(point(x))), low, high)


def peak(f: Curve, low: float, high: float) -> float:
    """Where f turns from rising to falling."""
    if not slope(f, low) > 0 > slope(f, high):
        raise UnusableInput("no peak is enclosed", expected="rising, then falling")
    return _bisected(lambda x: slope(f, x), low, high)


def _bisected(f: Callable[[float], float], low: float, high: float) -> float:
    left, right = f(low), f(high)
    if not left * right <= 0:
        got = f"f({low:g}) = {left:.4g}, f({high:g}) = {right:.4g}"
        raise UnusableInput("no zero is enclosed", expected="a change of sign", got=got)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if f(middle) * left > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
