"""Sequents, and the few checks that the rules share."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import Term, Var, need


class Sequent(NamedTuple):
    """hyps |- concl, using the named axioms."""

    hyps: frozenset[Term]
    concl: Term
    axioms: frozenset[str]


Given = Sequence[Sequent]


def derived(premises: Given, concl: Term, used: Iterable[str] = ()) -> Sequent:
    """The conclusion under all hypotheses and axioms of the premises."""
    hyps = frozenset[Any]().union(*[p.hyps for p in premises])
    return Sequent(hyps, concl, frozenset(used).union(*[p.axioms for p in premises]))


def without(p: Sequent, *dropped: Term) -> Sequent:
    return p._replace(hyps=p.hyps.difference(dropped))


def take(premises: Given, n: int) -> Any:
    need(len(premises) == n, "{} premises wanted, {} given", n, len(premises))
    return premises[0] if n == 1 else premises


def want(p: Sequent, formula: Term) -> None:
    need(p.concl == formula, "wanted {}, got {}", formula, p.concl)


def put(formula: Term, variable: Term, term: Term) -> Term:
    """formula[variable := term], for a term of the variable's sort."""
    fits = isinstance(variable, Var) and K.fits(term, variable.sort)
    need(fits, "{} is not a variable that may stand for {}", variable, term)
    return B.substitute(formula, {variable: term})


def fresh_for(variable: Term, formulas: Iterable[Term]) -> None:
    """The side condition of every rule that generalises a variable."""
    fresh = isinstance(variable, Var) and all(variable not in B.variables(p) for p in formulas)
    need(fresh, "{} is not a variable that is free nowhere else", variable)
