"""How a term is read: how tightly it binds, and where it stands among the factors of a product."""

from __future__ import annotations

from typing import Any

from sympy import Add, Basic, Expr, Integer, Mul, Pow, Rational

from derivations.kernel import terms as K
from derivations.language.notation import SYMBOLS, place_in_product

SUM, PRODUCT, FACTOR, ATOM = 1, 2, 3, 4


def level_of(e: Any) -> int:
    """How tightly a term binds: sums, products, fractions and powers, atoms."""
    if isinstance(e, Add) or is_negative(e):
        return SUM
    if isinstance(e, Mul) or is_operator(e) or (isinstance(e, Rational) and e.q != 1):
        return PRODUCT
    return FACTOR if isinstance(e, (Pow, K.Inv, K.Formula)) else ATOM


def is_operator(e: Basic) -> bool:
    """Terms that are written in front of what they act on, without parentheses."""
    if isinstance(e, K.Log):
        return isinstance(e.args[0], (K.App, K.Variable, K.Card, Integer))
    return isinstance(e, (K.Sum, K.Max, K.Series))


def is_unequal(e: Basic) -> bool:
    """u = v -> 0 < 0 is written u is not v."""
    return isinstance(e, K.Imp) and isinstance(e.args[0], K.Eq) and e.args[1] == K.Lt(0, 0)


def is_negative(x: Basic) -> bool:
    """Whether a minus sign stands in front."""
    return bool(x.as_coeff_Mul()[0] < 0) if isinstance(x, Expr) else False


def without_sign(x: Any) -> Any:
    """x or -x, the one with fewer minus signs."""
    minus = sum(map(is_negative, Add.make_args(x)))
    return -x if 2 * minus > len(Add.make_args(x)) else x


def base_of(x: Any) -> Any:
    """The base of a power, anything else itself."""
    return x.base if isinstance(x, Pow) else x


def denominator(x: Any) -> Any:
    """What a power of Inv stands over."""
    base = base_of(x).args[0]
    return base**x.exp if isinstance(x, Pow) else base


def place_of_factor(x: Basic) -> tuple[int, int]:
    """The order of factors on a page: numbers, parameters, functions, sums last."""
    base = base_of(x)
    kinds = (Rational, K.Variable, K.Card, K.Delta, K.App, K.Inv, Add, K.Max2, K.Exp, K.Log)
    rank = next((i for i, k in enumerate(kinds) if isinstance(base, k)), len(kinds))
    if isinstance(base, K.Var):  # parameters, which are Greek, before variables
        return rank, 0 if str(base.tag).rstrip("0123456789'") in SYMBOLS else 1
    return rank, place_in_product(base.fn.name) if isinstance(base, K.App) else 0
