"""Is a violation more than rounding?  The formula's sides are computed again with every
intermediate result moved by a random relative 1e-13, some hundreds of its last places.

A difference of the sides that moves by a part of itself was made by rounding: log(x / x) times a
large factor, a cancellation of large terms.  A real difference stays.
"""

from __future__ import annotations

import torch
from sympy import Add, Basic, Mul, Pow
from torch import Tensor

from derivations.kernel import terms as K
from numerics.bridge import Evaluator, Scope
from numerics.tables import Value

MOVED_BY = 1e-13
A_PART = 0.5
ROUNDED = (Add, Mul, Pow, K.Inv, K.Exp, K.Log, K.Sum, K.Series)


class Shaken(Evaluator):
    """An evaluator whose rounding errors are some hundred times larger, on the same models."""

    def __init__(self, parent: Evaluator) -> None:
        super().__init__(parent.model, parent.off, parent)
        self.trial |= parent.trial
        self.noise = torch.Generator().manual_seed(0)

    def _value(self, e: Basic, sc: Scope) -> Value:
        found = super()._value(e, sc)
        if not isinstance(e, ROUNDED) or not isinstance(found, Tensor):
            return found
        if not found.is_floating_point():
            return found
        shake = torch.rand(found.shape, generator=self.noise, dtype=found.dtype) * 2 - 1
        return found * (1 + MOVED_BY * shake)


def made_by_rounding(e: Basic, ev: Evaluator, sc: Scope) -> Tensor:
    """Where the difference of the two sides of a relation is not told from rounding.

    >>> from derivations.kernel.terms import Eq
    >>> from numerics.bridge import TOP
    >>> from numerics.instances import batches
    >>> p = Eq(0, 1)
    >>> made_by_rounding(p, batches([], [p])[0].first, TOP).item()
    False
    """
    with torch.no_grad():
        difference = _difference(e, ev, sc)
        moved = (_difference(e, Shaken(ev), sc) - difference).abs()
        return moved > A_PART * difference.abs()


def _difference(e: Basic, ev: Evaluator, sc: Scope) -> Tensor:
    return ev.real(e.args[0], sc) - ev.real(e.args[1], sc)
