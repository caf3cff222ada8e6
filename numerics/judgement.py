"""A formula on a batch of models: how badly it is violated, and where nobody can tell.

Eq is judged by |l - r| / (1 + |l| + |r|); <= and < by the excess on the same scale.  An implication
is judged where its antecedent holds and is vacuous elsewhere.  A derivative is autograd's.  A limit
is followed to three points: it must be reached, or approached with errors that shrink and whose
extrapolation (Aitken) lands on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from sympy import Basic
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from numerics.bridge import TOP, Evaluator, Scope
from numerics.rounding import made_by_rounding
from numerics.tables import DTYPE, NotBridged, as_real, constant

TOLERANCE = 1e-9
VACUOUS = -1.0
ROUNDING = 1e-13
TIE = 1e-6  # how much equal sides violate <
SHRINKS = 0.8  # of three errors at doubled n or halved distance, each is at most this of the last
NEAR = (2.0**-8, 2.0**-9, 2.0**-10)
FALSE = K.Lt(0, 0)


@dataclass(frozen=True)
class Finding:
    """For each model (and each axis still open): the violation, VACUOUS where nothing was asked,
    and whether it stays unknown (not finite, a kink, a logarithm off the positive reals)."""

    violation: Tensor
    unknown: Tensor

    @property
    def holds(self) -> Tensor:
        """Known and not violated; vacuously true counts."""
        return (self.violation <= TOLERANCE) & ~self.unknown


def judge(e: Basic, ev: Evaluator, sc: Scope = TOP) -> Finding:
    """The finding for a formula; universal quantifiers are reduced to their worst case."""
    rule = _RULES.get(type(e))
    if rule is None:
        raise NotBridged(f"{type(e).__name__} cannot be judged")
    return rule(e, ev, sc)


def judged_twice(e: Basic, first: Evaluator, second: Evaluator) -> Finding:
    """The same formula under two readings of Log off the positive reals; what depends on the
    reading is unknown."""
    one = judge(e, first)
    if not first.met_off:
        return one
    two = judge(e, second)
    differs = (one.violation - two.violation).abs() > TOLERANCE
    violation = torch.where(differs, VACUOUS, one.violation)
    return Finding(violation, one.unknown | two.unknown | differs)


# ------------------------------------------------------------------ relations


def _sides(e: Basic, ev: Evaluator, sc: Scope) -> tuple[Tensor, Tensor, Tensor]:
    left, right = ev.real(e.args[0], sc), ev.real(e.args[1], sc)
    return left, right, (left - right) / (1 + left.abs() + right.abs())


def _judged(e: Basic, ev: Evaluator, sc: Scope, violation: Tensor) -> Finding:
    """A violation of a relation; unknown where it is not finite or only rounding made it."""
    finite = torch.isfinite(violation)
    violated = violation > TOLERANCE
    if bool(violated.any()):
        finite = finite & ~(violated & made_by_rounding(e, ev, sc))
    return _found(violation, finite)


def _found(violation: Tensor, finite: Tensor) -> Finding:
    return Finding(torch.where(finite, violation, VACUOUS), ~finite)


def _eq(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    _, _, excess = _sides(e, ev, sc)
    return _judged(e, ev, sc, excess.abs())


def _le(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    _, _, excess = _sides(e, ev, sc)
    return _judged(e, ev, sc, excess.clamp(min=0))


def _lt(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    """Equal sides violate <; two numbers that differ by rounding only are unknown, but a small
    number is not 0."""
    left, right, excess = _sides(e, ev, sc)
    violation = torch.where(
        left >= right,
        excess.clamp(min=0) + TIE,
        torch.where(torch.isfinite(excess), 0.0, torch.nan),
    )
    found = _judged(e, ev, sc, violation)
    close = (excess.abs() < ROUNDING) & (left != right) & (left != 0) & (right != 0)
    return replace(found, unknown=found.unknown | close)


# ------------------------------------------------------------------ logic


def _imp(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    p = judge(e.args[0], ev, sc)
    if e.args[1] == FALSE:
        return Finding(torch.where(p.holds, 1.0, 0.0).to(DTYPE), p.unknown)
    q = judge(e.args[1], ev, sc)
    violation = torch.where(p.holds, q.violation, VACUOUS)
    return Finding(violation, p.unknown | (p.holds & q.unknown))


def _all(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    values = ev.model.sampled(e.args[0])
    axis = ev.axes.setdefault(("all", e.args[0], sc.depth), values.reshape((-1, *([1] * sc.depth))))
    inner = judge(e.args[1], ev, sc.push(axis))
    violation, unknown = inner.violation, inner.unknown
    if violation.ndim == sc.depth + 1:
        violation = violation.amax(0)
    if unknown.ndim == sc.depth + 1:
        unknown = unknown.any(0)
    return Finding(violation, unknown)


# ------------------------------------------------------------------ limits


def _lim(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    F, body, target = e.args
    limit = ev.real(target, sc)
    if isinstance(F, K.Infinity):
        n = ev.model.horizon  # halved twice for powers of n; evenly spaced on a short way
        paths = [[n // 4, n // 2, n] if n > 20 else [n - 2 * max(n // 4, 1), n - max(n // 4, 1), n]]
    elif isinstance(F, K.Right):
        paths = [[constant(h) for h in NEAR]]
    else:
        c = ev.real(F.args[0], sc)
        paths = [[ev.near(c, side * h) for h in NEAR] for side in (1.0, -1.0)]
    out: Finding | None = None
    for path in paths:
        values = [ev.real(body, sc.bind(v)) for v in path]
        found = approach(values, limit)
        out = found if out is None else _worse(out, found)
    assert out is not None
    return out


def approach(values: list[Tensor], limit: Tensor) -> Finding:
    """Three values on the way to a limit: reached, approached, or (a violation) neither."""
    scale = 1 + limit.abs()
    e0, e1, e2 = [(v - limit).abs() / scale for v in values]
    reached = (e2 <= TOLERANCE) & ((e1 <= TOLERANCE) | (e1 <= SHRINKS * e0))
    shrinking = (e1 <= SHRINKS * e0) & (e2 <= SHRINKS * e1)
    f0, f1, f2 = values
    bend = f2 - 2 * f1 + f0
    straight = bend.abs() < 1e-300
    aitken = f2 - torch.where(straight, 0.0, (f2 - f1) ** 2 / torch.where(straight, 1.0, bend))
    lands = (aitken - limit).abs() / scale <= 0.3 * e2 + TOLERANCE
    good = reached | (shrinking & lands)
    slow = ~good & (e1 <= 0.95 * e0) & (e2 <= 0.95 * e1)
    finite = torch.isfinite(e0 + e1 + e2)
    found = _found(torch.where(good, 0.0, e2), finite & ~slow)
    return found


def _worse(p: Finding, q: Finding) -> Finding:
    return Finding(torch.maximum(p.violation, q.violation), p.unknown | q.unknown)


# ------------------------------------------------------------------ derivatives


def derivative(e: Basic, ev: Evaluator, sc: Scope) -> tuple[Tensor, Tensor]:
    """Autograd's derivative of the function in HasD(f, c, d) at c, and where f has a kink."""
    body, at, _ = e.args
    c = ev.real(at, sc)
    used = [sc.stack[-t] for t in range(1, B.loose(body))]  # Bound(0) is the variable itself
    named = [sc.env[v] for v in B.variables(body) if v in sc.env]
    shapes = [v.shape for v in (*used, *named, c) if isinstance(v, Tensor)]
    shape = torch.broadcast_shapes(*shapes, (ev.model.width,))
    x = ev.differentiable(c, shape)
    with torch.enable_grad():
        y = ev.real(body, sc.bind(x))
        total = y.expand(shape).sum()
    if not y.requires_grad:
        return torch.zeros(shape, dtype=DTYPE), torch.zeros(shape, dtype=torch.bool)
    (slope,) = torch.autograd.grad(total, x, create_graph=True, allow_unused=True)
    slope = torch.zeros(shape, dtype=DTYPE) if slope is None else slope
    kinked = torch.zeros(shape, dtype=torch.bool)
    if any(isinstance(t, (K.Max2, K.Max)) for t in B.subterms(body)):
        kinked = _kinked(body, x.detach(), ev, sc)
    return slope, kinked


def _kinked(body: Basic, x: Tensor, ev: Evaluator, sc: Scope) -> Tensor:
    """Where the slopes on the two sides differ."""
    h = 1e-6
    low, mid, high = [ev.real(body, sc.bind(x + d)).detach() for d in (-h, 0.0, h)]
    return ((high - mid) / h - (mid - low) / h).abs() > 1e-3


def _hasd(e: Basic, ev: Evaluator, sc: Scope) -> Finding:
    slope, kinked = derivative(e, ev, sc)
    d = ev.real(e.args[2], sc)
    residual = (slope - d).abs() / (1 + slope.abs() + d.abs())
    return _found(as_real(residual).detach(), torch.isfinite(residual) & ~kinked)


_RULES = {K.Eq: _eq, K.Le: _le, K.Lt: _lt, K.Imp: _imp, K.All: _all, K.Lim: _lim, K.HasD: _hasd}
