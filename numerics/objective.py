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
from functools import cached_property
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

from numerics.callable_module import CallableModule
from numerics.errors import UnusableInput

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
    shapes     ours -> axes, e.g. {"adv": "B"}, "BT1" for a trailing axis of one; else found by
               trying
    setup      a factory of the callable that is judged in place of the function, for a loss that
               needs a configuration, a trainer, a module or a dictionary of tensors
    dtypes     the form of what the loss is given, where not float64: "float32" for every floating
               argument, or by name {"mask": "bool", "group": "numpy"}; see `numerics.check.passing`
    denominators  what an argument counts -> that argument: "tokens" (under the mask), "sequences"
               and "shards" (ranks or micro-batches) of the whole batch
    home       the module that declares it
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
    setup: Callable[..., Any] | None = None
    dtypes: str | Mapping[str, str] = field(default_factory=dict)
    denominators: Mapping[str, str] = field(default_factory=dict)
    home: str = ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    @cached_property
    def judged(self) -> Callable[..., Any]:
        """The callable that is judged: what `setup` returns, else the function itself.

        `setup` is called once, with the constants that it names and, if it has an argument `loss`,
        with the function. Raises UnusableInput when it raises or returns no callable.

        >>> def configured(loss, clip):
        ...     return lambda logp, logp_old, adv: loss({"clip": clip}, logp - logp_old, adv)
        >>> def theirs(config, log_ratio, adv): ...
        >>> adapted = objective(theirs, setup=configured, constants={"clip": 0.2})
        >>> adapted.judged is theirs
        False
        """
        return self.function if self.setup is None else _set_up(self)

    @property
    def passed(self) -> Mapping[str, Any]:
        """The constants that the judged callable is given: not those that only `setup` names."""
        if self.setup is None:
            return self.constants
        taken, own = _parameters(self.setup), _parameters(self.judged)
        return {n: v for n, v in self.constants.items() if n in own or n not in taken}

    @property
    def where(self) -> str:
        """File name and line of the loss, or of its setup, for messages."""
        return _place(self.setup or self.function)


def parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a callable; of a torch module, those of its `forward`.

    Raises TypeError or ValueError where Python knows none.
    """
    whole = getattr(function, "_orig_mod", function)  # a compiled module's own
    called = whole if isinstance(whole, type) else getattr(whole, "forward", whole)
    return inspect.signature(called).parameters


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return parameters_of(function)
    except (TypeError, ValueError):
        return {}


def _place(function: Callable[..., Any]) -> str:
    code: Any = inspect.unwrap(function)
    if not hasattr(code, "__code__"):  # a class, or an object with __call__ such as a module
        kind = code if isinstance(code, type) else type(code)
        code = inspect.unwrap(getattr(kind, "forward", kind.__call__))
    try:
        return f"{Path(inspect.getsourcefile(code) or '?').name}:{code.__code__.co_firstlineno}"
    except (TypeError, AttributeError):
        return getattr(code, "__module__", None) or "unknown place"


def _set_up(declared: Objective) -> Callable[..., Any]:
    """The callable that a setup returns."""
    setup: Any = declared.setup
    name = getattr(setup, "__name__", type(setup).__name__)
    available = {"loss": declared.function, **declared.constants}
    parameters = _parameters(setup)
    for parameter in parameters.values():
        optional = parameter.default is not parameter.empty
        variadic = parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        if parameter.name not in available and not optional and not variadic:
            raise UnusableInput(
                f"setup {name} of {declared.name} needs {parameter.name}",
                declared.where,
                ", ".join(available) + ": loss, or a name of constants=",
                parameter.name,
            )
    try:
        built = setup(**{n: v for n, v in available.items() if n in parameters})
    except UnusableInput:
        raise
    except (Exception, SystemExit) as error:
        told = f"setup {name} of {declared.name} raised {type(error).__name__}: {error}"
        raise UnusableInput(told, declared.where, "a callable loss of our arguments") from error
    if not callable(built):
        raise UnusableInput(
            f"setup {name} of {declared.name} returns no loss",
            declared.where,
            "a callable of our arguments (logp, adv, mask, ...)",
            type(built).__name__,
        )
    return built


def _declaring_module() -> str:
    """The name of the nearest module that is not this one or its callable wrapper."""
    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_globals.get("__name__") in (__name__, CallableModule.__module__):
        frame = frame.f_back
    return frame.f_globals.get("__name__", "") if frame else ""


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
    setup: Callable[..., Any] | None = None,
    dtypes: str | Mapping[str, str] = _NOTHING,
    denominators: Mapping[str, str] = _NOTHING,
    **options: Any,
) -> Any:
    """Declare a loss; further keywords are the options of the reference objective named by `like`.

    Works bare (`@objective`), with arguments, and as a call on a function that is already there
    (`objective(loss, like="ppo_clip")`). See `Objective` for the meaning of each keyword.

    Raises: nothing; what is wrong is said when the loss is judged.

    >>> @objective(like="ppo_clip", clip=0.2)
    ... def surrogate(logp, logp_old, adv, mask): ...
    >>> surrogate.name, dict(surrogate.options)
    ('surrogate', {'clip': 0.2})
    """
    mappings = {"options": options, "args": args, "constants": constants, "shapes": shapes}
    mappings["denominators"] = denominators
    fields: dict[str, Any] = {n: MappingProxyType(dict(m)) for n, m in mappings.items()}
    fields |= {"like": like, "spec": spec, "claims": tuple(claims), "returns": returns}
    fields |= {"family": family, "setup": setup, "home": _declaring_module()}
    fields["dtypes"] = dtypes if isinstance(dtypes, str) else MappingProxyType(dict(dtypes))

    def declare(loss: Callable[..., Any]) -> Objective:
        return Objective(loss, getattr(loss, "__name__", type(loss).__name__), **fields)

    return declare if function is None else declare(function)


sys.modules[__name__].__class__ = CallableModule
