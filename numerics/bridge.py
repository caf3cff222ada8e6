"""A kernel term as a torch float64 tensor, on many finite models at once.

Every value is a tensor whose last axis runs over the models of a batch; an index variable in scope
adds one axis in front, so torch's broadcasting lines everything up.  Indices are integers: members
of a finite set are 0 ... n-1, pairs and words are numbered (the word wx has the number k w + x + 1
over k letters, the empty word 0).  Reals that a formula differentiates by carry autograd's graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import torch
from sympy import Add, Basic, Mul, Pow, Rational
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from numerics.tables import DTYPE, NotBridged, Value, as_real, constant, shorter

# Nothing is asserted of a reciprocal so close to zero: rounding decides whether it is Inv(0) = 0.
NEARLY_ZERO = 1e-14
# exp of more has no number, and exp of less stays positive: 0 < exp(x) must not fail by underflow.
LARGEST = 690.0


class Symbols(Protocol):
    """What a model tells about its symbols."""

    @property
    def width(self) -> int:
        """How many models the batch has."""
        ...

    def extent(self, sort: Basic) -> int:
        """How many members of a sort the tables hold."""
        ...

    def sampled(self, sort: Basic) -> Tensor:
        """The members that a universal formula is judged at."""
        ...

    def apply(self, symbol: Basic, args: Sequence[Value], ev: Evaluator) -> Value:
        """A function symbol at some arguments; a free real variable takes none."""
        ...

    @property
    def horizon(self) -> int:
        """The largest natural that the tables hold."""
        ...


@dataclass(frozen=True)
class Scope:
    """The variables in scope, bound ones innermost last, free ones by name; `depth` axes in use."""

    depth: int = 1
    stack: tuple[Value, ...] = ()
    env: Mapping[Basic, Value] = field(default_factory=dict)

    def push(self, axis: Value) -> Scope:
        """Under a binder whose variable has these values along a new axis."""
        return Scope(self.depth + 1, (*self.stack, axis), self.env)

    def bind(self, value: Value) -> Scope:
        """Under a binder whose variable has a value made of the axes in use."""
        return Scope(self.depth, (*self.stack, value), self.env)

    def assign(self, values: Mapping[Basic, Value]) -> Scope:
        """With values for free variables."""
        return replace(self, env={**self.env, **values})


TOP = Scope()


class Evaluator:
    """Terms to tensors on one batch of models.  `off` is what Log is off the positive reals;
    `met_off` tells whether any logarithm was taken there."""

    def __init__(self, model: Symbols, off: float, parent: Evaluator | None = None) -> None:
        self.model, self.off, self.parent = model, off, parent
        self.met_off = False
        self.memo: dict[Any, tuple[Value, Any]] = {}
        self.tables: dict[Any, tuple[Tensor, Any]] = parent.tables if parent else {}
        self.axes: dict[Any, Tensor] = parent.axes if parent else {}
        self.points: dict[Any, tuple[Tensor, Tensor]] = parent.points if parent else {}
        self.trial: dict[Basic, Any] = dict(parent.trial) if parent else {}

    def child(self, trial: Mapping[Basic, Any]) -> Evaluator:
        """An evaluator for terms in which some symbols have other values for a while."""
        made = Evaluator(self.model, self.off, self)
        made.trial |= trial
        return made

    def axis(self, first: int, end: int, depth: int) -> Tensor:
        """The integers first ... end-1 along axis number `depth`, counted from the last."""
        key = (first, end, depth)
        if key not in self.axes:
            shape = (end - first, *([1] * depth))
            self.axes[key] = torch.arange(first, end).reshape(shape)
        return self.axes[key]

    def near(self, c: Tensor, step: float) -> Tensor:
        """c + step, the same object each time, so that tables at this value are computed once."""
        key = ("near", id(c), step)
        if key not in self.points:
            self.points[key] = (c + step, c)
        return self.points[key][0]

    def differentiable(self, c: Tensor, shape: Sequence[int]) -> Tensor:
        """c in full shape with a gradient, the same object each time."""
        key = ("slope", id(c), tuple(shape))
        if key not in self.points:
            x = c.expand(shape).clone()
            self.points[key] = (x if x.requires_grad else x.requires_grad_(True), c)
        return self.points[key][0]

    # -------------------------------------------------------------- values

    def real(self, e: Basic, sc: Scope = TOP) -> Tensor:
        """The value of a real term."""
        return as_real(self.value(e, sc))

    def value(self, e: Basic, sc: Scope = TOP) -> Value:
        """The value of a term, remembered for the same variables in scope."""
        if isinstance(e, Rational):
            return int(e) if e.is_Integer and e >= 0 else constant(e)
        if isinstance(e, K.Variable):
            return self._variable(e, sc)
        used = sc.stack[len(sc.stack) - B.loose(e) :]
        named = [sc.env[v] for v in B.variables(e) if v in sc.env] if sc.env else []
        key = (e, *map(id, used), "|", *map(id, named))
        if key not in self.memo:
            self.memo[key] = (_trimmed(self._value(e, sc)), (used, named))
        return self.memo[key][0]

    def index(self, e: Basic, sc: Scope) -> Value:
        """The number of an index term."""
        return self.value(e, sc)

    def _variable(self, e: K.Variable, sc: Scope) -> Value:
        if isinstance(e, K.Bound):
            return sc.stack[-1 - e.tag]
        if e in sc.env:
            return sc.env[e]
        if e.sort != K.REAL:
            raise NotBridged(f"the index variable {e} has no value")
        return self.model.apply(e, (), self)

    def _value(self, e: Basic, sc: Scope) -> Value:
        if isinstance(e, (Add, Mul)):
            return _folded(e, [self.value(x, sc) for x in e.args])
        if isinstance(e, Pow):
            return _power(self.value(e.base, sc), self.value(e.exp, sc))
        method = getattr(self, "_" + type(e).__name__, None)
        if method is None:
            raise NotBridged(f"{type(e).__name__} has no number")
        return method(e, sc)

    def _App(self, e: K.App, sc: Scope) -> Value:
        args = [
            self.real(x, sc) if sort == K.REAL else self.index(x, sc)
            for x, sort in zip(e.args[1:], e.fn.domain, strict=True)
        ]
        return self.model.apply(e.fn, args, self)

    def _Inv(self, e: Basic, sc: Scope) -> Tensor:
        x = self.real(e.args[0], sc)
        zero = x == 0
        out = torch.where(zero, 0.0, 1 / torch.where(zero, 1.0, x))
        return torch.where((x.abs() < NEARLY_ZERO) & ~zero, torch.nan, out)

    def _Exp(self, e: Basic, sc: Scope) -> Tensor:
        x = self.real(e.args[0], sc)
        return torch.where(x > LARGEST, torch.nan, torch.exp(x.clamp(min=-LARGEST, max=LARGEST)))

    def _Log(self, e: Basic, sc: Scope) -> Tensor:
        x = self.real(e.args[0], sc)
        fine = x > 0
        if bool(fine.all()):
            return torch.log(x)
        self._meets_off()
        elsewhere = torch.where(torch.isnan(x), x, self.off)
        return torch.where(fine, torch.log(torch.where(fine, x, 1.0)), elsewhere)

    def _meets_off(self) -> None:
        self.met_off = True
        if self.parent:
            self.parent._meets_off()

    def _Max2(self, e: Basic, sc: Scope) -> Tensor:
        return torch.maximum(self.real(e.args[0], sc), self.real(e.args[1], sc))

    def _Delta(self, e: Basic, sc: Scope) -> Tensor:
        same = self.index(e.args[0], sc) == self.index(e.args[1], sc)
        return as_real(same) if isinstance(same, Tensor) else constant(same)

    def _Card(self, e: Basic, sc: Scope) -> int:
        return self.model.extent(e.args[0])

    def _Nil(self, e: Basic, sc: Scope) -> int:
        return 0

    def _Snoc(self, e: Basic, sc: Scope) -> Value:
        letters = self.model.extent(K.sort_of(e.args[1]))
        return self.index(e.args[0], sc) * letters + self.index(e.args[1], sc) + 1

    def _Pair(self, e: Basic, sc: Scope) -> Value:
        width = self.model.extent(K.sort_of(e.args[1]))
        return self.index(e.args[0], sc) * width + self.index(e.args[1], sc)

    # -------------------------------------------------------------- binders

    def _Sum(self, e: Basic, sc: Scope) -> Tensor:
        axis, inside = self.members(e.args[0], sc)
        if axis.shape[0] == 0:
            return constant(0)
        body = self.real(e.args[1], sc.push(axis))
        if inside is not None:
            body = torch.where(inside, body, 0.0)
        return body.sum(0) if body.ndim == sc.depth + 1 else body * axis.shape[0]

    def _Max(self, e: Basic, sc: Scope) -> Tensor:
        axis, _ = self.members(e.args[0], sc)
        body = self.real(e.args[1], sc.push(axis))
        return body.amax(0) if body.ndim == sc.depth + 1 else body

    def _Series(self, e: Basic, sc: Scope) -> Tensor:
        """Partial sums up to the horizon; no number unless the terms have died out by then."""
        n = self.model.horizon
        body = self.real(e.args[0], sc.push(self.axis(0, n, sc.depth)))
        if body.ndim <= sc.depth:
            return torch.where(body == 0, body, torch.nan)
        late = body[-n // 8 :].abs().amax(0)
        total = body.sum(0)
        return torch.where(late <= 1e-11 * (1 + total.abs()), total, torch.nan)

    def members(self, X: Basic, sc: Scope) -> tuple[Tensor, Tensor | None]:
        """The members of a set along a new axis, and which of them count where the size varies."""
        if isinstance(X, K.Range):
            n = self.index(X.args[0], sc)
            axis = self.axis(0, n if isinstance(n, int) else int(n.max()), sc.depth)
            return axis, None if isinstance(n, int) else axis < n
        if isinstance(X, K.Words):
            return self._words(X, self.index(X.args[1], sc), sc)
        return self.axis(0, self.model.extent(X), sc.depth), None

    def _words(self, X: Basic, n: Value, sc: Scope) -> tuple[Tensor, Tensor | None]:
        letters = self.model.extent(X.args[0])
        if isinstance(n, int):
            return self.axis(shorter(letters, n), shorter(letters, n + 1), sc.depth), None
        longest = int(n.max())
        axis = self.axis(0, shorter(letters, longest + 1), sc.depth)
        firsts = torch.tensor([shorter(letters, j) for j in range(longest + 2)])
        return axis, (firsts[n] <= axis) & (axis < firsts[n + 1])


def _trimmed(x: Value) -> Value:
    """Without leading axes of size 1, which came from the place where it was first computed."""
    while isinstance(x, Tensor) and x.ndim > 1 and x.shape[0] == 1:
        x = x[0]
    return x


def _folded(e: Basic, xs: Sequence[Value]) -> Value:
    """A sum or a product; of indices when all of them are."""
    out = xs[0]
    for x in xs[1:]:
        out = out + x if isinstance(e, Add) else out * x
    return out


def _power(base: Value, n: Value) -> Value:
    if isinstance(n, int) or (isinstance(base, Tensor) and base.dtype != DTYPE):
        return base**n
    return torch.pow(as_real(base), as_real(n))
