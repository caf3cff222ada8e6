"""A kernel term of one token, or of a response of one token, as cases: conditions and one formula
each, in (rho, A).

max(a, b) is the case a where a - b >= 0 and the case b where b - a >= 0. Inside an exponential a
case may be decided by the log-ratio; since exp grows, d - c >= 0 is rho - e^c >= 0. A sum over the
tokens of a response is its one summand, with mask 1: rho is then the ratio of the response.
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


def without_penalty(term: Any) -> tuple[Any, bool]:
    """The summands that hold the advantage, and whether others were left out: a penalty on the
    distance to the reference adds its own gradient, whatever A is.
    """
    parts = [(part, _named(part)) for part in sp.Add.make_args(sp.sympify(term))]
    kept = [part for part, names in parts if "adv" in names]
    penalised = any("logp_ref" in names and "adv" not in names for _, names in parts)
    return (sp.Add(*kept), True) if kept and penalised else (term, False)


def of_a_response(term: Any) -> bool:
    """Whether the term sums over the tokens of a response."""
    return any(isinstance(part, K.Sum) for part in sp.preorder_traversal(sp.sympify(term)))


def _named(term: Any) -> set[str]:
    return {str(part) for part in sp.preorder_traversal(term) if isinstance(part, K.Var)}


def _pieces(term: Any, where: str) -> list[Piece]:
    if isinstance(term, K.Var | K.App):
        return [Piece((), _symbol(term, where))]
    if isinstance(term, K.Sum):
        return _pieces(term.args[1], where)
    if isinstance(term, K.Max2):
        return _larger(_pieces(term.args[0], where), _pieces(term.args[1], where))
    if isinstance(term, K.Exp):
        return [_exponential(piece, where) for piece in _pieces(term.args[0], where)]
    if isinstance(term, K.Inv):
        return [_reciprocal(piece, where) for piece in _pieces(term.args[0], where)]
    if term.is_number and not term.args:
        return [Piece((), term)]
    if isinstance(term, sp.Add | sp.Mul | sp.Pow):
        rows = product(*(_pieces(argument, where) for argument in term.args))
        return [
            Piece(
                tuple(c for piece in row for c in piece.conditions),
                tidy(term.func(*(piece.value for piece in row))),
            )
            for row in rows
        ]
    raise UnusableInput(
        "a specification whose cases cannot be decided exactly",
        where,
        "sums, products, quotients, max, min, and exponentials of logp - logp_old and of rho",
        type(term).__name__,
    )


def tidy(value: Any) -> Any:
    """One form for equal polynomials; anything else as it was written."""
    return sp.expand(value) if value.is_polynomial(RHO, FROZEN, ADV, LOGP, OLD) else value


def _symbol(term: Any, where: str) -> sp.Expr:
    name = str(term.args[0].args[0]) if isinstance(term, K.App) else str(term)
    if name == "mask":
        return sp.Integer(1)
    if name not in _KNOWN:
        raise UnusableInput(
            "a specification that is no function of rho and A", where, ", ".join(_KNOWN), name
        )
    return _KNOWN[name]


def _larger(left: list[Piece], right: list[Piece]) -> list[Piece]:
    found = []
    for a, b in product(left, right):
        both, gap = a.conditions + b.conditions, tidy(a.value - b.value)
        found += [Piece((*both, gap), a.value), Piece((*both, -gap), b.value)]
    return found


def _reciprocal(piece: Piece, where: str) -> Piece:
    if not piece.value.is_nonzero:
        raise UnusableInput("a quotient whose denominator may be 0", where, got=str(piece.value))
    return Piece(piece.conditions, 1 / piece.value)


def _exponential(piece: Piece, where: str) -> Piece:
    """exp(n (logp - logp_old) + c) = rho^n e^c; any exponent in rho alone stays one."""
    value, conditions = piece.value, tuple(_in_rho(c) for c in piece.conditions)
    if not {LOGP, OLD} & value.free_symbols:
        return Piece(conditions, sp.exp(value))
    times: Any = value.coeff(LOGP)
    rest = sp.expand(value - times * (LOGP - OLD))
    if not (times.is_Integer and rest.is_number):
        raise UnusableInput("an exponential that is no power of rho", where, got=f"exp({value})")
    return Piece(conditions, RHO**times * sp.exp(rest))


def _in_rho(condition: sp.Expr) -> sp.Expr:
    """n (logp - logp_old) + c >= 0 as a condition on rho; others as they are."""
    times: Any = condition.coeff(LOGP)
    rest = sp.expand(condition - times * (LOGP - OLD))
    if not times.is_number or times == 0 or not rest.is_number:
        return condition
    return sp.sign(times) * (RHO - sp.exp(-rest / times))
