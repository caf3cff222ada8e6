"""Checkers of the five exercises: one module each, with `check(...)` for its check cell.

A checker returns one line that says what was found right, and raises `Unsolved` with what was
expected and got otherwise. It compares with this project's own functions at inputs that are not in
the exercise, so that copying a printed number does not pass.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.errors import UnusableInput

TOLERANCE = 1e-9  # float64 results of a few operations; a float32 answer is off by 1e-7


class Unsolved(AssertionError):
    """An answer that is missing or wrong: which part, at which input, expected and got."""


def answer(function: Callable[..., Any], *inputs: Any, **options: Any) -> Any:
    """What the reader's function returns. Raises Unsolved when it raises or returns nothing."""
    name = getattr(function, "__name__", "the answer")
    try:
        result = function(*inputs, **options)
    except (NotImplementedError, TypeError, ValueError, RuntimeError, IndexError) as error:
        raise Unsolved(f"{name} raised {type(error).__name__}: {error}") from error
    if result is None or result is Ellipsis:
        raise Unsolved(f"{name} returns nothing yet")
    return result


def require_close(
    name: str, got: Any, expected: Tensor, where: str, within: float = TOLERANCE
) -> None:
    """Raises Unsolved unless `got` has the shape and the values of `expected`."""
    try:
        values = torch.as_tensor(got, dtype=torch.float64).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise Unsolved(f"{name} at {where}: expected numbers, got {got!r}") from error
    if values.shape != expected.shape:
        shapes = f"expected shape {tuple(expected.shape)}, got {tuple(values.shape)}"
        raise Unsolved(f"{name} at {where}: {shapes}")
    if not bool(((values - expected).abs() <= within).all()):  # a nan is not close
        sides = f"expected {_shown(expected)}, got {_shown(values)}"
        raise Unsolved(f"{name} at {where}: {sides}")


def require_passed(name: str, function: Callable[..., Any], like: str, **options: Any) -> None:
    """Run `numerics.check` on a loss that should equal a reference objective.

    Raises Unsolved with the findings that are not a pass.
    """
    from numerics import check, objective

    try:
        report = check(objective(function, like=like, **options), seeds=1)
    except UnusableInput as error:
        raise Unsolved(f"{name}: {error}") from error
    wrong = [f for f in report.findings if f.verdict in ("fail", "inconclusive")]
    if wrong:
        lines = [f"  {f.property}: {f.verdict}: {f.message}" for f in wrong]
        raise Unsolved("\n".join([f"{name} is not {like}", *lines]))


def pairs_of_results(name: str, got: Any) -> tuple[Any, Any]:
    """Two results. Raises Unsolved for anything else, and when one of them is missing."""
    if not isinstance(got, tuple | list) or len(got) != 2 or any(x is None for x in got):
        raise Unsolved(f"{name} should return two results, got {got!r}")
    return got[0], got[1]


def _shown(values: Tensor) -> str:
    return str([round(x, 6) for x in values.flatten().tolist()][:8])
