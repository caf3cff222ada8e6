"""Values and tables: what a term of the kernel becomes in torch, and how a table is looked up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

Value = Tensor | int
DTYPE = torch.float64


class NotBridged(Exception):
    """A term that has no finite value here: an unbounded set, a word that is too long."""


def constant(x: Any) -> Tensor:
    """A number as a float64 tensor without axes."""
    return torch.tensor(float(x), dtype=DTYPE)


def as_real(x: Value) -> Tensor:
    """A value used as a real number."""
    if isinstance(x, int):
        return constant(x)
    return x if x.dtype == DTYPE else x.to(DTYPE)


def shorter(letters: int, n: int) -> int:
    """How many words are shorter than n: the number of the first word of length n."""
    if letters**n > 100_000:
        raise NotBridged(f"{letters}^{n} words are too many")
    return sum(letters**j for j in range(n))


@cache
def _along(n: int, after: int) -> Tensor:
    """0, 1, ..., n - 1 along an axis with this many axes after it."""
    return torch.arange(n).reshape((n, *([1] * after)))


def gather(table: Tensor, indices: Sequence[Value], context: int) -> Tensor:
    """table[i, j, ...] for index values; the last `context` axes of the table are axes in use.

    Beyond the table there is no number: NaN, so that nothing is judged there.
    """
    if not indices:
        return table
    place: list[Any] = []
    beyond: Tensor | None = None
    for i, n in zip(indices, table.shape, strict=False):
        late = i >= n
        if bool(late.any() if isinstance(late, Tensor) else late):
            late = torch.as_tensor(late)
            beyond = late if beyond is None else beyond | late
            i = torch.as_tensor(i).clamp(max=n - 1)
        place.append(i)
    shape = table.shape[len(indices) :]
    place += [_along(n, context - 1 - k) if n > 1 else 0 for k, n in enumerate(shape)]
    found = table[tuple(place)]
    if beyond is None:
        return found
    if found.dtype != DTYPE:
        raise NotBridged("an index beyond the tables")
    return torch.where(beyond, torch.nan, found)
