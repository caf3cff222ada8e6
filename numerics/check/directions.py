"""Random directions in the space of an input: drawn once a shape and seed, and kept for a while."""

import math
from functools import lru_cache

import torch
from torch import Tensor

SMALL = 2**16  # entries of a direction of which many are kept


def direction(shape: tuple[int, ...], seed: int) -> Tensor:
    """Standard normal, float64; drawn in float32, whose generator is five times as fast. Not to be
    modified: it is kept, since other points of the same shape are tried along it next.
    """
    return _few(shape, seed) if math.prod(shape) > SMALL else _many(shape, seed)


def draw(shape: tuple[int, ...], seed: int) -> Tensor:
    """A direction that nothing keeps."""
    rng = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=rng, dtype=torch.float32).double()


_many = lru_cache(maxsize=16)(draw)  # 8 MB at most
_few = lru_cache(maxsize=2)(draw)  # no more memory than the two directions of one check


def forget_large_directions() -> None:
    """Give their memory back; the small ones stay."""
    _few.cache_clear()
