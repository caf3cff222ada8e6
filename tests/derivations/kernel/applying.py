"""Short names for trying the kernel's rules as a certificate would."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Basic

from derivations.kernel import terms as K
from derivations.kernel.certificate import apply
from derivations.kernel.sequents import Sequent
from derivations.kernel.terms import NAT, REAL, Fin, Fn, Prod, Refused, Var, WordsOf

X, Y = Fin("X"), Fin("Y")
x, y, z, u = (Var(name, REAL) for name in "xyzu")
n, m, k = (Var(name, NAT) for name in "nmk")
a, b = Var("a", X), Var("b", X)
c = Var("c", Y)
w = Var("w", WordsOf(X))
p = Var("p", Prod(X, Y))
f, g = Fn("f", REAL, REAL), Fn("g", REAL, REAL)
F, G = Fn("F", REAL, X), Fn("G", REAL, X, X)
FALSE = K.Lt(0, 0)


def use(rule: str, *premises: Sequent, **args: Any) -> Sequent:
    """Apply a rule; `Refused` when it does not follow."""
    return apply(rule, premises, args)


def assume(formula: Basic) -> Sequent:
    return use("assume", formula=formula)


def proved(left: Any, right: Any, *facts: Basic) -> Sequent:
    """left = right by normal form under assumed facts."""
    return use("normal_form", *map(assume, facts), left=K.as_term(left), right=K.as_term(right))


def refused(rule: str, *premises: Sequent, **args: Any) -> str:
    """The rule must be refused, with a reason; the reason is returned."""
    with pytest.raises(Refused) as caught:
        apply(rule, premises, args)
    assert str(caught.value)
    return str(caught.value)


def nonzero(t: Any) -> Basic:
    return K.Imp(K.Eq(t, 0), FALSE)
