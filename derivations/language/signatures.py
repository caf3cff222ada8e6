"""What a symbol stands for, in words: its sort, or its arguments and value."""

from __future__ import annotations

from collections.abc import Iterable

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.kernel.terms import NAT, REAL, Term


def signatures(formulas: Iterable[Term]) -> dict[str, str]:
    """The free symbols of some formulas by name, each with what it stands for.

    Sets are not listed. A name of two symbols has both its meanings.

    >>> from derivations.language.syntax import Equal, formula, functions, members, naturals
    >>> s, n, v = members("S", "s"), naturals("n"), functions("v", "S")
    >>> signatures([formula(Equal(v(s), n))])
    {'n': 'a natural number', 's': 'a member of S', 'v': 'S -> a real number'}
    """
    found: dict[str, set[str]] = {}
    for e in frozenset().union(*map(B.symbols, formulas)):
        if isinstance(e, (K.Var, K.Fn)):
            name = str(e.name if isinstance(e, K.Fn) else e.tag)
            found.setdefault(name, set()).add(signature(e))
    return {name: " and ".join(sorted(found[name])) for name in sorted(found)}


def signature(symbol: Term) -> str:
    """What one variable or function symbol stands for."""
    if isinstance(symbol, K.Fn):
        arguments = ", ".join(map(_set, symbol.domain)) or "()"
        return f"{arguments} -> {_one(symbol.codomain)}"
    return _one(symbol.sort)


def _one(sort: Term) -> str:
    if sort in (REAL, NAT):
        return "a real number" if sort == REAL else "a natural number"
    if isinstance(sort, K.WordsOf):
        return f"a word over {_set(sort.args[0])}"
    return f"a member of {_set(sort)}"


def _set(sort: Term) -> str:
    if sort in (REAL, NAT):
        return "reals" if sort == REAL else "naturals"
    if isinstance(sort, K.Prod):
        return " × ".join(map(_set, sort.args))
    return f"words over {_set(sort.args[0])}" if isinstance(sort, K.WordsOf) else str(sort.name)
