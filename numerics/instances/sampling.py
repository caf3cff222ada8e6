"""Independent samples: sum_o w(o) 1[y(i, o) = v] = p(v) says that every y(i, .) has the law p.

The outcomes are made all tuples of letters, y(i, o) the letter number i of o, and w the product
law, so that any number of samples are independent, as any further hypothesis on pairs may ask.
"""

from __future__ import annotations

from typing import Any

import torch
from sympy import Integer, Mul
from torch import Tensor

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from numerics.bridge import Evaluator
from numerics.instances.shapes import Bound, Clause, Plan, Sample, Total, Weight

MANY_OUTCOMES = 300


def read_samples(c: Clause, out: Plan) -> bool:
    """Take the law of one sample into the plan."""
    if c.ifs or not isinstance(c.core, K.Eq):
        return False
    for left, right in (c.core.args, c.core.args[::-1]):
        found = _law(left, right)
        if found is None:
            continue
        w, y, p, space = found
        letters = Sample(y, space)
        if out.may_define(y, []) and out.may_define(w, [p]):
            out.rules[y], out.rules[w] = letters, Weight(w, letters, p)
            out.note(w, [p, y])
            out.samples.append(letters)
            _is_a_law(p, out)
            return True
    return False


def _law(left: Any, right: Any) -> tuple[K.Fn, K.Fn, K.Fn, K.Fin] | None:
    """w, y, p and the space of  sum_o w(o) 1[y(i.., o) = v] = p(v)."""
    space: Any = left.args[0] if isinstance(left, K.Sum) else None
    fits = isinstance(space, K.Fin) and isinstance(right, K.App)
    if not fits or len(right.args) != 2:
        return None
    o = B.fresh(space)
    parts = Mul.make_args(B.open_body(left.args[1], o))
    weights = [t for t in parts if isinstance(t, K.App) and t.args[1:] == (o,)]
    deltas = [t for t in parts if isinstance(t, K.Delta) and right.args[1] in t.args]
    if len(parts) != 2 or not weights or not deltas:
        return None
    y = next((t for t in deltas[0].args if isinstance(t, K.App) and o in t.args), None)
    return (weights[0].fn, y.fn, right.fn, space) if y is not None else None


def _is_a_law(p: K.Fn, out: Plan) -> None:
    """The masses of all outcomes sum to one only if p does."""
    v = B.fresh(p.domain[0])
    out.totals.setdefault(p, Total(p, (v,), (v,), Integer(1)))
    out.bounds.setdefault(p, [Bound(p, (v,), Integer(0), False, False, (v,))])


def with_outcomes(reading: Plan, sizes: dict[str, int]) -> dict[str, int]:
    """Sizes in which each space of outcomes is as large as the tuples need; fewer samples, or
    letters, when these would be too many."""
    out = dict(sizes)
    for s in reading.samples:
        assert isinstance(s.symbol, K.Fn)
        letter = s.symbol.codomain.args[0].name  # type: ignore[attr-defined]
        places = [x.args[0].name for x in s.symbol.domain if x != s.space]  # type: ignore
        while _outcomes(out, letter, places) > MANY_OUTCOMES:
            most = max([*places, letter], key=lambda name: out[name])
            out[most] -= 1
        out[s.space.name] = _outcomes(out, letter, places)
    return out


def _outcomes(sizes: dict[str, int], letter: str, places: list[str]) -> int:
    n = 1
    for name in places:
        n *= sizes[name]
    return sizes[letter] ** n


def sample(rule: Sample, reals: object, ev: Evaluator) -> Tensor:
    """The letters of every outcome."""
    assert isinstance(rule.symbol, K.Fn)
    domain = rule.symbol.domain
    k = ev.model.extent(rule.symbol.codomain)
    sizes = [ev.model.extent(s) for s in domain if s != rule.space]
    count = 1
    for n in sizes:
        count *= n
    place = torch.arange(count).reshape((*sizes, 1))
    outcome = torch.arange(ev.model.extent(rule.space))
    table = (outcome // k**place) % k
    at = list(domain).index(rule.space)
    return (
        table.movedim(-1, at).unsqueeze(-1).expand((*table.movedim(-1, at).shape, ev.model.width))
    )


def weight(rule: Weight, reals: object, ev: Evaluator) -> Tensor:
    """The product law of the outcomes."""
    letters = sample(rule.letters, reals, ev)[..., 0]
    assert isinstance(rule.letters.symbol, K.Fn) and isinstance(rule.mass, K.Fn)
    at = list(rule.letters.symbol.domain).index(rule.letters.space)
    tuples = letters.movedim(at, -1).reshape((-1, letters.shape[at]))
    k = ev.model.extent(rule.mass.domain[0])
    masses = ev.model.apply(rule.mass, [ev.axis(0, k, 1)], ev)
    assert isinstance(masses, Tensor)
    return masses.expand((k, ev.model.width))[tuples].prod(0)
