"""Stop-gradients: find every one, remember its value, and replay it.

A difference quotient moves what a gradient holds fixed, so a correct loss with `detach`, `no_grad`,
`.data` or `.item()` fails a plain gradient check. Here the values that leave the graph are recorded
at the base point and put back in the other evaluations; and each such site is listed, since an
accidental detach would be blessed too.

What leaves the graph is defined by what happens, not by a list of functions: a call that has an
input with a gradient and gives a floating result without one. Inside the forward of a
`torch.autograd.Function` nothing leaves the graph, its backward speaks for it.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from numerics.check.eager import EagerMode
from numerics.errors import UnusableInput

_TO_PYTHON = {"item", "tolist", "__float__", "numpy", "__array__"}
_ONLY_THE_SHAPE = {"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"}
_SET_GRAD_ENABLED = torch._C._set_grad_enabled
_DETACH_IN_PLACE = Tensor.detach_
_TORCH = str(Path(torch.__file__).parent)


@dataclass(frozen=True)
class Site:
    """One place where a value leaves the graph: the call, file and line, and its shape."""

    operation: str
    where: str
    shape: tuple[int, ...]
    call: int  # position in the sequence of torch calls
    value: Any

    def __str__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "scalar"
        return f"{self.operation} of [{shape}] at {self.where}"


class ControlFlowChanged(Exception):
    """A replayed evaluation made other torch calls than the recorded one."""


def _tensors(values: Any) -> Iterator[Tensor]:
    if isinstance(values, Tensor):
        yield values
    elif isinstance(values, list | tuple):
        for value in values:
            yield from _tensors(value)
    elif isinstance(values, dict):
        yield from _tensors(list(values.values()))


def _caller() -> str:
    """File name and line of the nearest frame outside torch and this file."""
    frame: FrameType | None = sys._getframe(2)
    while frame and (
        frame.f_code.co_filename.startswith(_TORCH) or frame.f_code.co_filename == __file__
    ):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame else "unknown place"


def _operation(func: Callable[..., Any]) -> str:
    name = getattr(func, "__name__", str(func))
    if name != "__get__":
        return name
    return getattr(getattr(func, "__self__", None), "__name__", name)  # the property: `.data`


class Recorder(EagerMode):
    """Records the sites of one evaluation whose inputs require gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.sites: list[Site] = []
        self.call = -1
        self.enabled = torch.is_grad_enabled()
        self.eps = self.eps_anywhere = torch.finfo(torch.float64).eps

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.call += 1
        if func is _SET_GRAD_ENABLED:
            if not self._inside_forward():
                self.enabled = args[0]
            return func(*args, **(kwargs or {}))
        left = func is _DETACH_IN_PLACE and args[0].requires_grad  # afterwards it would not show
        result = func(*args, **kwargs) if kwargs else func(*args)
        if type(result) is Tensor and result.requires_grad and result.dtype is torch.float64:
            return result  # stays in the graph: the common case, which should cost nothing
        self._look_closer(func, args, kwargs, result, left)
        return result

    def _inside_forward(self) -> bool:
        """Gradients are off though nobody switched them off: a Function's forward runs."""
        return self.enabled and not torch.is_grad_enabled()

    def _look_closer(self, func: Any, args: Any, kwargs: Any, result: Any, left: bool) -> None:
        inside_forward = self._inside_forward()
        if isinstance(result, Tensor):
            in_graph = result.requires_grad or inside_forward
            if result.dtype is not torch.float64 and result.is_floating_point():
                self._note(torch.finfo(result.dtype).eps, in_graph)
            if in_graph:
                return
        if not inside_forward and (left or any(t.requires_grad for t in _tensors([args, kwargs]))):
            self._record(_operation(func), args, result)

    def _note(self, eps: float, in_graph: bool) -> None:
        self.eps_anywhere = max(self.eps_anywhere, eps)
        if in_graph:
            self.eps = max(self.eps, eps)

    def _record(self, name: str, args: Any, result: Any) -> None:
        if name in _ONLY_THE_SHAPE:
            return
        if name in _TO_PYTHON:
            shape = tuple(args[0].shape)
            self.sites.append(Site(name, _caller(), shape, self.call, result))
            return
        floating = [t for t in _tensors(result) if t.is_floating_point()]
        if floating and not any(t.requires_grad for t in floating):
            operation = name if self.enabled else f"no_grad ({name})"
            value = _copied(result)
            self.sites.append(
                Site(operation, _caller(), tuple(floating[0].shape), self.call, value)
            )


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_copied, value))
    return type(value)(map(_copied, value)) if isinstance(value, list | tuple) else value


class Replay(EagerMode):
    """Puts the recorded values back, at the same positions in the sequence of torch calls."""

    def __init__(self, sites: tuple[Site, ...]) -> None:
        super().__init__()
        self.values = {site.call: site for site in sites}
        self.call = -1

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.call += 1
        site = self.values.get(self.call)
        if site is None:
            return func(*args, **(kwargs or {}))
        name = _operation(func)
        if name not in site.operation:
            raise ControlFlowChanged(f"{site} was recorded, {name} was called")
        if name.endswith("_") and not name.endswith("__"):  # detach_: the tensor itself is frozen
            with torch._C.DisableTorchFunction():
                return args[0].copy_(site.value)
        return _copied(site.value)


@dataclass(frozen=True)
class Recorded:
    """A value, its gradients in the order of the inputs, what was frozen, the coarsest roundings:
    eps of what carries gradients, eps_anywhere of constants too.
    """

    value: Tensor
    gradients: tuple[Tensor | None, ...]
    sites: tuple[Site, ...]
    eps: float
    eps_anywhere: float


def record(function: Callable[..., Tensor], *points: Tensor) -> Recorded:
    """Value, gradients and frozen sites of function(*points).

    Raises UnusableInput when the result does not depend on them through the graph, or changes them.
    """
    leaves = [point.detach().requires_grad_() for point in points]
    versions = [leaf._version for leaf in leaves]
    with Recorder() as recorder:
        value = _refusing_changes(function, leaves)
    if versions != [leaf._version for leaf in leaves]:
        raise UnusableInput("the loss changes its input in place", hint="work on a copy")
    sites = tuple(recorder.sites)
    if not value.requires_grad:
        raise UnusableInput(
            "the loss has no gradient: its result is not connected to its inputs",
            expected="a result that requires_grad",
            got="frozen: " + "; ".join(map(str, sites)) if sites else "a result that ignores them",
        )
    gradients = torch.autograd.grad(value, leaves, allow_unused=True)
    return Recorded(value.detach(), gradients, sites, recorder.eps, recorder.eps_anywhere)


def differentiated(
    function: Callable[[Tensor], Tensor], point: Tensor
) -> tuple[float, Tensor] | None:
    """Value and gradient without recording; None when there is no gradient."""
    leaf = point.detach().requires_grad_()
    value = _refusing_changes(function, [leaf])
    if not value.requires_grad:
        return None
    (gradient,) = torch.autograd.grad(value, leaf, allow_unused=True)
    return None if gradient is None else (value.item(), gradient)


def _refusing_changes(function: Callable[..., Tensor], leaves: list[Tensor]) -> Tensor:
    try:
        return function(*leaves)
    except RuntimeError as error:
        if "leaf Variable" in str(error) and "in-place" in str(error):
            hint = "work on a copy"
            raise UnusableInput("the loss changes its input in place", hint=hint) from error
        raise


def moving(
    function: Callable[..., Tensor], sites: tuple[Site, ...], *points: Tensor
) -> tuple[Site, ...]:
    """Those of the sites whose value depends on the points: not a constant that was copied."""
    if not sites:
        return ()
    leaves = [point.detach().clone().requires_grad_() for point in points]
    with Recorder() as recorder:
        function(*leaves)
    after = {site.call: site.value for site in recorder.sites}
    return tuple(site for site in sites if not _same(site.value, after.get(site.call)))


def mattering(
    function: Callable[..., Tensor], sites: tuple[Site, ...], *points: Tensor
) -> tuple[Site, ...]:
    """Those of the sites that change the result elsewhere when they are held: not a metric."""
    if not sites:
        return ()
    free = function(*points)
    kept = []
    for site in sites:
        with Replay((site,)):
            held = function(*points)
        if not torch.equal(free, held):
            kept.append(site)
    return tuple(kept)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.shape == other.shape and torch.equal(one, other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if type(one) is not type(other):
        return False
    return bool((one == other).all()) if hasattr(one, "all") else one == other
