"""Minimising a smooth convex function of a few parameters by damped Newton steps.

    x <- x - s H^+ g,  s halved until the value falls enough (Armijo)

H^+ is the pseudo-inverse: a direction in which the function is flat (a constant added to all
scores) is never moved along, so the answer keeps what the start had there.

Source: Boyd and Vandenberghe, Convex Optimization (2004), section 9.5.
Shapes: x [N]; the function gives [].
Sign: minimised.
Units: those of the function.
Gradient: by autograd, Hessian too; none flows through the result.
Raises: UnusableInput when the gradient does not vanish within the steps, as when the infimum is at
infinity.

>>> import torch
>>> minimised(lambda x: (x - 3).pow(2).sum(), torch.zeros(2, dtype=torch.float64)).tolist()
[3.0, 3.0]
"""

from collections.abc import Callable

import torch
from torch import Tensor

from numerics.errors import UnusableInput

STEPS, HALVINGS = 100, 40
SMALL = 1e-11  # of the gradient's norm, where float64 sums of order one end
ARMIJO = 1e-4


def minimised(function: Callable[[Tensor], Tensor], start: Tensor) -> Tensor:
    """The minimiser nearest to the start along the flat directions."""
    x = start.detach().clone()
    for _ in range(STEPS):
        at = x.clone().requires_grad_()
        value = function(at)
        g = torch.autograd.grad(value, at)[0]
        if float(g.norm()) < SMALL:
            return x
        hessian = torch.autograd.functional.hessian(function, x)
        assert isinstance(hessian, Tensor)  # one argument gives one matrix
        x = _searched(function, x, float(value.detach()), g, hessian)
    expected = "a minimum: is it at infinity?"
    raise UnusableInput("Newton's method does not end", expected=expected, got=str(x.tolist()))


def _searched(
    function: Callable[[Tensor], Tensor], x: Tensor, value: float, g: Tensor, hessian: Tensor
) -> Tensor:
    step = torch.linalg.pinv(hessian, hermitian=True, rtol=1e-12) @ g
    promised = float(g @ step)
    for n in range(HALVINGS):
        candidate = x - step / 2**n
        if float(function(candidate)) <= value - ARMIJO * promised / 2**n + 1e-16:
            return candidate
    return x - step
