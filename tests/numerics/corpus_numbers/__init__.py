"""The public cases' own numbers: how each input is put to the two functions of a case.

A file of this folder defines `NUMBERS`: id -> evaluate(function, input, which), which is "right" or
"wrong" (a few inputs are on-policy, which depends on what the function takes for the policy).
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

Evaluate = Callable[[Callable[..., Any], Mapping[str, Any], str], Any]


def numbers() -> dict[str, Evaluate]:
    """Every evaluation of this folder."""
    found: dict[str, Evaluate] = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.stem != "__init__":
            found |= import_module(f"{__name__}.{path.stem}").NUMBERS
    return found


def real(values: Any) -> Tensor:
    """Numbers as a float64 tensor."""
    return torch.tensor(values, dtype=torch.float64)


def column(values: Any) -> Tensor:
    """[B] numbers as [B,1]: rows of one token."""
    return real(values)[:, None]


def padded(rows: list[list[float]]) -> tuple[Tensor, Tensor]:
    """Rows of unequal lengths as [B,T], and their mask."""
    width = max(map(len, rows))
    values = real([row + [0.0] * (width - len(row)) for row in rows])
    mask = real([[1.0] * len(row) + [0.0] * (width - len(row)) for row in rows])
    return values, mask


def slope(function: Callable[[Tensor], Tensor], at: Tensor) -> Tensor:
    """d function / d at."""
    leaf = at.detach().clone().requires_grad_()
    result = function(leaf)
    if not result.requires_grad:
        return torch.zeros_like(leaf)
    found = torch.autograd.grad(result.sum(), leaf, allow_unused=True)[0]
    return torch.zeros_like(leaf) if found is None else found
