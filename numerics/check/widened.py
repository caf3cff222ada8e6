"""A loss that computes below float64, as if it computed in float64.

In a `Widened()` block every torch call that asks for a narrower floating type is given float64
instead, autocast is off, and the default type is float64: the same code, without its rounding. What
checks the dtype of its inputs may raise in there; `precision.py` then says what rounding can do.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from numerics.check.eager import EagerMode
from numerics.check.frozen import Recorded
from numerics.errors import UnusableInput

_DOUBLE_EPS = torch.finfo(torch.float64).eps
NARROW = (torch.float32, torch.float16, torch.bfloat16)
_CASTS = {Tensor.float, Tensor.half, Tensor.bfloat16}
_DOUBLE = Tensor.double
_TYPED = {"torch.FloatTensor", "torch.HalfTensor", "torch.BFloat16Tensor"}  # of Tensor.type


def _wide(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        return torch.float64 if value in NARROW else value
    if isinstance(value, tuple | list) and any(isinstance(v, torch.dtype) for v in value):
        return type(value)(map(_wide, value))
    return "torch.DoubleTensor" if isinstance(value, str) and value in _TYPED else value


class Widened(EagerMode):
    """Float64 wherever a narrower floating type is asked for.

    >>> import torch
    >>> x = torch.tensor([1e-9], dtype=torch.float64)
    >>> with Widened():
    ...     (1 + x.half()).sub(1).item() > 0
    True
    """

    def __enter__(self) -> "Widened":
        self.default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        torch.set_default_dtype(self.default)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        func = _DOUBLE if func in _CASTS else func
        given = {name: _wide(value) for name, value in (kwargs or {}).items()}
        with torch.autocast("cpu", enabled=False):
            result = func(*map(_wide, args), **given)
            if not isinstance(result, Tensor) or result.dtype not in NARROW:
                return result
            if any(result is one for one in args) or result._is_view():
                return result
            return _DOUBLE(result)  # from an array of numpy's, or a constant of the loss's own


def without_rounding(evaluate: Callable[[], Recorded]) -> Recorded:
    """A recorded evaluation; of a loss below float64, of its widened code where that runs."""
    recorded = evaluate()
    if recorded.eps_anywhere <= _DOUBLE_EPS:
        return recorded
    try:
        with Widened():
            widened = evaluate()
    except UnusableInput:
        return recorded
    return widened if widened.eps_anywhere <= _DOUBLE_EPS else recorded
