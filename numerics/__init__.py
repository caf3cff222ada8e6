"""Numbers beside the proofs, and a user's own loss against the theory.

    from numerics import objective, check, descend

The three names are loaded on first use, so that importing this package imports neither torch nor a
kernel.

>>> from numerics import check, descend, objective
>>> from numerics.check.identify import identify
>>> from numerics.check.regions import regions
>>> @objective(like="ppo_clip", clip=0.2)
... def mine(logp, logp_old, adv, mask):
...     rho = (logp - logp_old).exp()
...     better = (rho * adv).minimum(rho.clamp(0.8, 1.2) * adv)
...     return -(better * mask).sum() / mask.sum()
>>> check(mine, seeds=1).verdict, identify(mine).equal
('pass', True)
>>> [(t.gradient, round(t.coefficient, 9)) for t in descend(mine).terms]
[('E[r]', -1.0)]
>>> [str(r.low) for r in regions(mine).regions if r.flat]  # A > 0, then A < 0
['6/5', '0']
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
