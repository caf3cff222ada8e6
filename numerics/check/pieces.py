"""A kernel term of one token as cases: conditions and one formula each, in (rho, A).

max(a, b) is the case a where a - b >= 0 and the case b where b - a >= 0. exp moves inside maxima,
since it grows: exp(max(a, b)) = max(exp a, exp b), exp(-max(a, b)) = min(exp(-a), exp(-b)).
"""

from dataclasses import dataclass
from itertools import product
from typing import Any

import sympy as sp

from derivations.kernel import terms as K
from numerics.errors import UnusableInput

RHO = sp.Symbol("rho", positive=True)
FROZEN = sp.Symbol("sg(rho)", positive=True)  # the same value, its gradient stopped
ADV = sp.Symbol("A", real=True)
LOGP = sp.Symbol("logp", real=True)
OLD = sp.Symbol("logp_old", real=True)
_KNOWN = {"adv": ADV, "logp": LOGP, "logp_old": OLD, "rho": FROZEN}


@dataclass(frozen=True)
class Piece:
    """`value` where every one of `conditions` is >= 0."""

    conditions: tuple[sp.Expr, ...]
    value: sp.Expr


def pieces(term: Any, where: str) -> list[Piece]:
    """All cases of a term; raises UnusableInput for what is no function of (rho, A)."""
    found = _pieces(sp.sympify(term), where)
    for piece in found:
        for part in (piece.value, *piece.conditions):
            if OLD in part.free_symbols:
                raise UnusableInput(
                    "a specification that depends on logp_old beyond rho", where, got=str(part)
                )
    return found


def _pieces(term: Any, where: str) -> list[Piece]:
    if isinstance(term, K.Var):
        return [Piece((), _symbol(term, where))]
    if isinstance(term, K.Max2):
        return _larger(_pieces(term.args[0], where), _pieces(term.args[1], where))
    if isinstance(term, K.Exp):
        return _exponential(term.args[0], where)
    if term.is_number and not term.args:
        return [Piece((), term)]
    if isinstance(term, sp.Add | sp.Mul | sp.Pow):
        rows = product(*(_pieces(argument, where) for argument in term.args))
        return [
            Piece(
                tuple(c for piece in row for c in piece.conditions),
                sp.expand(term.func(*(piece.value for piece in row))),
            )
            for row in rows
        ]
    raise UnusableInput(
        "a specification whose cases cannot be decided exactly",
        where,
        "sums, products, max, min, and exp(logp - logp_old)",
        type(term).__name__,
    )


def _symbol(term: Any, where: str) -> sp.Symbol:
    name = str(term)
    if name not in _KNOWN:
        hint = "leave the penalty out: --option beta=0" if name == "logp_ref" else None
        raise UnusableInput(
            "a specification that is no function of rho and A",
            where,
            ", ".join(_KNOWN),
            name,
            hint=hint,
        )
    return _KNOWN[name]


def _larger(left: list[Piece], right: list[Piece]) -> list[Piece]:
    found = []
    for a, b in product(left, right):
        both, gap = a.conditions + b.conditions, sp.expand(a.value - b.value)
        found += [Piece((*both, gap), a.value), Piece((*both, -gap), b.value)]
    return found


def _exponential(exponent: Any, where: str) -> list[Piece]:
    if isinstance(exponent, K.Max2):
        a, b = (_exponential(argument, where) for argument in exponent.args)
        return _larger(a, b)
    negated: Any = -exponent
    if isinstance(negated, K.Max2):
        parts: Any = negated.args
        a, b = (_exponential(-part, where) for part in parts)
        flipped = [[Piece(p.conditions, -p.value) for p in part] for part in (a, b)]
        return [Piece(p.conditions, -p.value) for p in _larger(*flipped)]
    found = _pieces(exponent, where)
    return [Piece(p.conditions, _power_of_rho(p.value, where)) for p in found]


def _power_of_rho(exponent: Any, where: str) -> sp.Expr:
    """exp(n (logp - logp_old) + c) = rho^n e^c."""
    times = exponent.coeff(LOGP)
    rest = sp.expand(exponent - times * (LOGP - OLD))
    if not (times.is_Integer and times >= 0) or not rest.is_number:
        raise UnusableInput("an exponential that is no power of rho", where, got=f"exp({exponent})")
    return RHO**times * sp.exp(rest)
