"""`@objective`: what a user says about a loss of their own.

    @objective(like="grpo", clip=0.2, beta=0.04, reduce="token-mean")
    def my_grpo(logp, logp_old, logp_ref, adv, mask):
        ...
        return loss            # a scalar that is minimised

The decorator only records; nothing is imported, run or judged until a command or `check(my_grpo)`
asks for it.
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numerics.callable_module import CallableModule

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Objective:
    """A loss and what is claimed of it. Calling it calls the loss, so a decorated file stays
    usable.

    like       the reference objective of `numerics.objectives` that it must equal, with `options`
    spec       a kernel term, or a torch function of our argument names, that it must equal
    claims     what its expected gradient follows, as `descend` names it ("E[r]", "KL(pi||ref)")
    args       ours -> theirs, for argument names that are not ours
    constants  values of the arguments that are not data
    returns    index or key of the loss in a tuple or dictionary result
    family     None: inferred from the argument names
    shapes     ours -> axes, e.g. {"adv": "B"}; None of it given: found by trying
    """

    function: Callable[..., Any]
    name: str
    like: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    spec: Any = None
    claims: tuple[str, ...] = ()
    args: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)
    returns: int | str | None = None
    family: str | None = None
    shapes: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @property
    def where(self) -> str:
        """File name and line of the loss, for messages."""
        code = inspect.unwrap(self.function)
        try:
            return f"{Path(inspect.getsourcefile(code) or '?').name}:{code.__code__.co_firstlineno}"
        except (TypeError, AttributeError):
            return getattr(code, "__module__", None) or "unknown place"


def objective(
    function: Callable[..., Any] | None = None,
    *,
    like: str | None = None,
    spec: Any = None,
    claims: tuple[str, ...] | list[str] = (),
    args: Mapping[str, str] = _NOTHING,
    constants: Mapping[str, Any] = _NOTHING,
    returns: int | str | None = None,
    family: str | None = None,
    shapes: Mapping[str, str] = _NOTHING,
    **options: Any,
) -> Any:
    """Declare a loss; further keywords are the options of the reference objective named by `like`.

    Works bare (`@objective`), with arguments, and as a call on a function that is already there
    (`objective(loss, like="ppo_clip")`). See `Objective` for the meaning of each keyword.

    >>> @objective(like="ppo_clip", clip=0.2)
    ... def surrogate(logp, logp_old, adv, mask): ...
    >>> surrogate.name, dict(surrogate.options)
    ('surrogate', {'clip': 0.2})
    """

    def declare(loss: Callable[..., Any]) -> Objective:
        return Objective(
            function=loss,
            name=getattr(loss, "__name__", type(loss).__name__),
            like=like,
            options=MappingProxyType(dict(options)),
            spec=spec,
            claims=tuple(claims),
            args=MappingProxyType(dict(args)),
            constants=MappingProxyType(dict(constants)),
            returns=returns,
            family=family,
            shapes=MappingProxyType(dict(shapes)),
        )

    return declare if function is None else declare(function)


sys.modules[__name__].__class__ = CallableModule
