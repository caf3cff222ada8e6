"""Gradients that a user adds to the basis of `descend`.

    def squared(world, sampling):          # a quantity of the policy: a number, differentiated here
        return (probabilities(world.policy, world.words) ** 2).sum()

or a function that returns the gradient itself, one vector for all of the policy's tables
(`enumeration.flat_gradient`).
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from numerics.check.basis import Gradient
from numerics.check.enumeration import World, flat_gradient, trained
from numerics.check.load import load
from numerics.errors import UnusableInput


def added_gradients(named: Sequence[str]) -> dict[str, Gradient]:
    """NAME=FILE.py:function or NAME=package.module:function, each as a gradient by its name."""
    found: dict[str, Gradient] = {}
    for text in named:
        name, equals, target = text.partition("=")
        if not (equals and name.strip() and ":" in target):
            raise UnusableInput(
                f"cannot read --gradient {text}",
                expected="--gradient NAME=FILE.py:function",
                got=repr(text),
            )
        (entry,) = load(target.strip())
        found[name.strip()] = as_gradient(name.strip(), entry.function)
    return found


def as_gradient(name: str, function: Callable[..., Any]) -> Gradient:
    """A function of (World, sampling) that returns a quantity or its gradient, as the latter.

    Raises UnusableInput when it is called and returns something else.

    >>> from numerics.check.enumeration import probabilities, world
    >>> quantity = lambda world, sampling: probabilities(world.policy, world.words)[0]
    >>> one = world(0, length=1, vocabulary=2, stops="never", distance=0.4, drift=0.0)
    >>> as_gradient("pi(0)", quantity)(one, "on-policy").sum().abs().item() < 1e-15
    True
    """

    def gradient(one: World, sampling: str) -> Tensor:
        one = trained(one)
        result = _called(name, function, one, sampling)
        size = sum(table.numel() for table in one.policy)
        if isinstance(result, Tensor) and result.dim() == 0:
            return flat_gradient(result, one.policy)
        if isinstance(result, Tensor) and tuple(result.shape) == (size,):
            return result.detach().double()
        got = list(result.shape) if isinstance(result, Tensor) else type(result).__name__
        expected = f"a number, or its gradient as a vector of {size}"
        raise UnusableInput(f"{name} is no gradient", expected=expected, got=str(got))

    return gradient


def _called(name: str, function: Callable[..., Any], one: World, sampling: str) -> Any:
    try:
        with torch.enable_grad():
            return function(one, sampling)
    except UnusableInput:
        raise
    except Exception as error:
        raise UnusableInput(
            f"{name} raised {type(error).__name__}: {error}",
            expected="a function of (world, sampling)",
        ) from error
