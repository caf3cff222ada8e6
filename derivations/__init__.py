"""proofgrad's proofs: theorems of policy optimisation under a small kernel.

    from derivations import theorem, given, calc, claim, by, catalogue, prove

`import derivations` is cheap; names are loaded when they are first used.

>>> from derivations import by, calc, catalogue, claim, given, prove, theorem
>>> from derivations.language.syntax import Equal, Sum, functions, members
>>> a, (p, r) = members("A", "a"), functions("p r", "A")
>>> total = given(Equal(Sum(p(a), a), 1), "p sums to one")
>>> left, mean = Sum(p(a) * (r(a) - 1), a), Sum(p(a) * r(a), a)
>>> @theorem(says=lambda: {"shift": Equal(left, mean - 1)}, given=[total])
... def a_constant_comes_out():
...     claim(calc(left, ("=", mean - Sum(p(a), a), by()), ("=", mean - 1, by(total))))
>>> proof = prove(a_constant_comes_out)
>>> proof.status, proof.replayed.generic
('proved', True)
>>> [t.name for t in catalogue() if t.name.endswith("difference")]
['decision_processes.performance_difference']
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derivations.language.reasons import given
    from derivations.library import catalogue
    from derivations.tactics.book import by, calc, claim
    from derivations.tactics.theorem import prove, theorem

# SymPy keeps 1,000 constructed terms by default; a proof works with some ten thousand, and a term
# that is found again is also cheaper to compare.  It has no effect when SymPy is already loaded.
os.environ.setdefault("SYMPY_CACHE_SIZE", "100000")

_WHERE = {
    "theorem": "derivations.tactics.theorem",
    "prove": "derivations.tactics.theorem",
    "given": "derivations.language.reasons",
    "calc": "derivations.tactics.book",
    "claim": "derivations.tactics.book",
    "by": "derivations.tactics.book",
    "catalogue": "derivations.library",
}
__all__ = ["by", "calc", "catalogue", "claim", "given", "prove", "theorem"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'derivations' has no attribute {name!r}")
    found = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = found
    return found
