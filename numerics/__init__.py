"""Numbers beside the proofs, and a user's own loss against the theory.

    from numerics import objective, check, descend

The three names are loaded on first use, so that importing this package imports neither torch nor a
kernel.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numerics.check import check
    from numerics.check.descent import descend
    from numerics.objective import objective

__all__ = ["check", "descend", "objective"]

# The module that defines each public name. `objective` and `check` are also the names of their
# modules,
# which are callable for that reason (see callable_module.py).
_HOME = {
    "objective": "numerics.objective",
    "check": "numerics.check",
    "descend": "numerics.check.descent",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'numerics' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
