"""proofgrad's proofs: theorems of policy optimisation under a small kernel.

    from derivations import theorem, given, calc, claim, by, theorems, prove

`import derivations` is cheap; names are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import Any

_WHERE = {
    "theorem": "derivations.tactics.theorem",
    "prove": "derivations.tactics.theorem",
    "given": "derivations.language.reasons",
    "calc": "derivations.tactics.book",
    "claim": "derivations.tactics.book",
    "by": "derivations.tactics.book",
    "theorems": "derivations.library",
}
__all__ = list(_WHERE)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'derivations' has no attribute {name!r}")
    # `theorems` the function and `derivations.theorems` the package share a name: keep the function.
    found = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = found
    return found
