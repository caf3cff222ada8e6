"""Random numbers for the symbols that no hypothesis defines, one style a model.

Styles: generic values; mild and wide ones; the same value everywhere (equal rewards, uniform
policies); zeros where the signs allow it; a point mass; symbols of one type equal to each other;
reals at the ends of their intervals; small rationals; zeros and ones; everything zero;
and a style of its own for every symbol ("corners": simple ones, a zero in one symbol where another
has none).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from numerics.tables import DTYPE

STYLES = ("generic", "generic", "mild", "sparse", "point", "equal", "twins", "edge", "small")
STYLES += ("zero", "binary", "wide", "mixed", "mixed")
# Styles of which every symbol has one of its own.
MIXTURES = {
    "mixed": ("generic", "mild", "point", "sparse", "edge", "wide", "point", "small"),
    "corners": ("point", "small", "binary", "equal", "small"),
}
SMALL = (0.0, 1.0, 0.5, -1.0, 2.0, 1 / 3)
SHARES = (1.0, 2.0, 1.0, 3.0)


@lru_cache(maxsize=256)
def styles_of(name: str, seed: int, styles: tuple[str, ...]) -> tuple[str, ...]:
    """The style of a symbol in each model; of a mixture, one by its name."""
    found = []
    for i, style in enumerate(styles):
        own = MIXTURES.get(style)
        if own is not None:
            style = own[zlib.crc32(f"{name}/{i}/{seed}".encode()) % len(own)]
        found.append(style)
    return tuple(found)


@dataclass(frozen=True)
class Dice:
    """Seeded draws for a batch of models; `styles` names one style a model."""

    seed: int
    styles: tuple[str, ...]
    reach: float = 0.7  # how far into an interval a value may lie: small for a fast discount

    def generator(self, label: str) -> torch.Generator:
        return torch.Generator().manual_seed(self.seed * 1_000_003 + zlib.crc32(label.encode()))

    def column(self, name: str, *styles: str) -> Tensor:
        """In which models a symbol has one of these styles; a mixture is another one a symbol."""
        own = styles_of(name, self.seed, self.styles)
        return torch.tensor([style in styles for style in own])

    def normal(self, name: str, kind: str, sizes: Sequence[int]) -> Tensor:
        """Raw values, the models along the last axis; `kind` is the symbol's type."""
        shape = (*sizes, len(self.styles))
        own = torch.randn(shape, generator=self.generator(name), dtype=DTYPE)
        shared = torch.randn(shape, generator=self.generator(kind), dtype=DTYPE)
        pick = torch.randint(len(SMALL), shape, generator=self.generator(name + "?"))
        small = torch.tensor(SMALL, dtype=DTYPE)[pick]
        flat = own
        for axis in range(len(sizes)):
            flat = flat.narrow(axis, 0, 1)
        out = self.chosen(name, "equal", flat.expand(shape), own)
        out = self.chosen(name, "twins", shared, out)
        out = self.chosen(name, "small", small, out)
        out = self.chosen(name, "binary", (own > 0).to(DTYPE), out)
        out = self.chosen(name, "mild", 0.3 * out, out)
        out = self.chosen(name, "wide", 3 * out, out)
        return self.chosen(name, "zero", torch.zeros_like(out), out)

    def chosen(self, name: str, style: str, new: Tensor, old: Tensor) -> Tensor:
        """New values in the models where the symbol has the style."""
        if style not in styles_of(name, self.seed, self.styles):
            return old
        return torch.where(self.column(name, style), new, old)

    def members(self, name: str, sizes: Sequence[int], n: int) -> Tensor:
        """Random indices below n."""
        shape = (*sizes, len(self.styles))
        found = torch.randint(n, shape, generator=self.generator(name))
        return torch.where(self.column(name, "zero", "equal"), 0, found)

    def positive(self, name: str, raw: Tensor) -> Tensor:
        """Positive values from raw ones: small shares in the style of small rationals."""
        pick = torch.randint(len(SHARES), raw.shape, generator=self.generator(name + "+"))
        shares = torch.tensor(SHARES, dtype=DTYPE)[pick]
        return torch.where(
            self.column(name, "small", "binary"), shares, torch.exp((0.8 * raw).clamp(-3, 3))
        )

    def part(self, name: str, raw: Tensor) -> Tensor:
        """A place inside an interval of length 1."""
        inside = self.reach * (0.15 + 0.85 * torch.sigmoid(raw))
        half = 1 / math.ceil(1 / min(0.5, self.reach))
        if raw.shape[-1] != len(self.styles):
            return inside
        return torch.where(self.column(name, "small", "binary"), half, inside)

    def zeros(self, name: str, sizes: Sequence[int], over: Sequence[int]) -> Tensor:
        """Where a quantity that may vanish does; along the axes `over` something stays."""
        shape = (*sizes, len(self.styles))
        u = torch.rand(shape, generator=self.generator(name + "0"), dtype=DTYPE)
        top = u
        for axis in over:
            top = top.amax(axis, keepdim=True)
        stays = (u == top) if over else torch.zeros(shape, dtype=torch.bool)
        some = (u < 0.4) & ~stays
        out = torch.where(self.column(name, "sparse", "binary"), some, torch.zeros_like(some))
        return torch.where(self.column(name, "point"), ~stays, out)
