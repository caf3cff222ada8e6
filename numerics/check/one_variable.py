"""Exact decisions about functions of one positive variable, the ratio, for a sign of A.

Signs are constant between two neighbouring roots, so one rational point in each interval decides.
"""

from collections.abc import Iterable
from typing import Any

import sympy as sp

from numerics.check.pieces import ADV, FROZEN, LOGP, RHO
from numerics.errors import UnusableInput

PROBES = (sp.Rational(3, 7), sp.Rational(5, 3))


def is_zero(value: Any) -> bool:
    """Whether an expression vanishes identically: it does not if it is a number other than 0 at one
    point, to thirty digits with an error bound.
    """
    if sp.expand(value) == 0:
        return True
    symbols = sorted(value.free_symbols, key=str)
    for number in PROBES:
        put: dict[Any, Any] = {x: number + sp.Rational(k, 13) for k, x in enumerate(symbols)}
        found = value.xreplace(put).evalf(30)
        if found.is_Float and found._prec > 1 and found != 0:
            return False
    return sp.simplify(value) == 0


def along(condition: sp.Expr, sign: int, where: str) -> sp.Expr:
    """q(rho) with condition = |A|^k q(rho) for this sign of A."""
    size = sp.Symbol("size", positive=True)
    put: Any = sp.expand(condition.subs(FROZEN, RHO).subs(ADV, sign * size))
    if LOGP in put.free_symbols:
        raise UnusableInput("a comparison depends on logp beyond rho", where, got=str(condition))
    degrees = sp.Poly(put, size).monoms() if put != 0 else []
    if len(degrees) > 1:
        raise UnusableInput(
            "cases that depend on the size of A, not on its sign", where, got=f"{condition} >= 0"
        )
    return at(put, {size: sp.Integer(1)})


def positive_roots(q: sp.Expr, where: str) -> list[sp.Expr]:
    """Where q changes sign on rho > 0; its denominator must be positive there."""
    over, under = sp.fraction(sp.together(q))
    if RHO not in q.free_symbols:
        return []
    if not (under.is_positive and over.is_polynomial(RHO)):
        raise UnusableInput(
            "a comparison that is no quotient of polynomials in rho", where, got=str(q)
        )
    poly = sp.Poly(over, RHO)
    found: Any
    if poly.degree() == 1:  # also with coefficients such as e^20
        slope, constant = poly.all_coeffs()
        found = [-constant / slope]
    elif all(c.is_rational for c in poly.all_coeffs()):
        found = sp.real_roots(poly)
    else:
        raise UnusableInput("a comparison whose roots are not exact numbers", where, got=str(q))
    return [root for root in found if root > 0]


def ordered(roots: Iterable[sp.Expr]) -> list[sp.Expr]:
    """From the smallest to the largest."""
    return sorted(roots, key=lambda root: sp.N(root, 50))


def between(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """A rational number strictly between two bounds."""
    if high is sp.oo:
        return sp.ceiling(low) + 1
    middle = sp.Rational(str(sp.N((low + high) / 2, 40)))
    if not (low < middle and middle < high):
        raise ArithmeticError(f"no rational number found between {low} and {high}")
    return middle


def at(expression: Any, put: dict[sp.Symbol, sp.Expr]) -> Any:
    """The expression with numbers for symbols."""
    return expression.xreplace(put)
