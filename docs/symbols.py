"""The symbols of a statement with their domains, for its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from derivations.kernel import binding as B
from derivations.kernel import terms as K
from derivations.language.formats import LATEX
from derivations.language.naming import parameters


@dataclass(frozen=True)
class Symbol:
    """A set, a function or a number that the statement is about."""

    latex: str
    domain: str


ANY_SIZE = r"\text{: a finite set, not empty, of any size}"


def symbols_of(formulas: Sequence[Any]) -> list[Symbol]:
    """The free symbols: sets first, then numbers, then functions with domain and values."""
    inside = {e for p in formulas for e in B.subterms(p)}
    functions = {e.fn for e in inside if isinstance(e, K.App)}
    reals = {v for p in formulas for v in B.variables(p) if v.sort in (K.REAL, K.NAT)}
    sets = {s for f in functions for s in _sets(f.domain)}
    out = [Symbol(_set(s), ANY_SIZE) for s in _by_name(sets)]
    for v in sorted(reals, key=lambda v: str(v.tag)):
        out.append(Symbol(LATEX.symbol(str(v.tag).split("~")[0]), rf"\in {_set(v.sort)}"))
    for f in sorted(functions, key=lambda f: (len(f.domain), f.name)):
        domain = r" \times ".join(_set(s) for s in f.domain)
        written = LATEX.symbol(f.name.removesuffix("_theta") if parameters(f) else f.name)
        out.append(Symbol(written, rf": {domain} \to {_set(f.codomain)}"))
    return out


def _sets(sorts: Sequence[Any]) -> list[Any]:
    out: list[Any] = []
    for s in sorts:
        out += _sets(s.args) if isinstance(s, (K.Prod, K.WordsOf)) else [s]
    return [x for x in out if isinstance(x, K.Fin)]


def _by_name(sets: set[Any]) -> list[Any]:
    return sorted(sets, key=lambda s: s.name)


def _set(s: Any) -> str:
    if s == K.REAL:
        return r"\mathbb{R}"
    if s == K.NAT:
        return r"\mathbb{N}"
    if isinstance(s, K.WordsOf):
        return f"{_within(s.args[0])}^{{*}}"
    if isinstance(s, K.Prod):
        return r" \times ".join(_within(x) for x in s.args)
    return str(s.name)


def _within(s: Any) -> str:
    return rf"({_set(s)})" if isinstance(s, K.Prod) else _set(s)
