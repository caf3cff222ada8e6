"""proofgrad's proofs: theorems of policy optimisation under a small kernel.

    from derivations import theorem, given, calc, claim, by, catalogue, prove

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
    "catalogue": "derivations.library",
}
__all__ = list(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'derivations' has no attribute {name!r}")
    found = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = found
    return found
