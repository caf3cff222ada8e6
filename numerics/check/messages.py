"""What a message says of a result that is no loss, and of an exception that a loss raised."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from numerics.errors import UnusableInput
from numerics.objective import Objective


def shapes_of(inputs: Mapping[str, Tensor], names: tuple[str, ...]) -> str:
    """`logp [2, 4], adv [2]`."""
    return ", ".join(f"{name} {list(inputs[name].shape)}" for name in names)


def dtype_of(value: Tensor) -> str:
    """`float64`."""
    return str(value.dtype).removeprefix("torch.")


def described(result: Any) -> str:
    """What a loss returned, in words."""
    if isinstance(result, Tensor):
        return f"a tensor of shape {list(result.shape)}"
    if isinstance(result, tuple | list):
        return f"a {type(result).__name__} of {len(result)}"
    if isinstance(result, dict):
        return "a dict with " + ", ".join(map(repr, result))
    return f"{type(result).__name__} {result!r}" if result is not None else "None"


def raised(
    error: Exception, objective: Objective, inputs: Mapping[str, Tensor], names: tuple[str, ...]
) -> UnusableInput:
    """The message for an exception of the loss's own, with the line that raised it."""
    return UnusableInput(
        f"{objective.name} raised {type(error).__name__}: {_first_line(error)}",
        where=_raised_at(error, objective),
        expected=f"a loss of {shapes_of(inputs, names)}",
        hint=_hint(error),
    )


def wrong_result(
    objective: Objective, family: str, result: Any, allowed: set[tuple[int, ...]]
) -> UnusableInput:
    """The message for a result that has not the shape of the family's."""
    shapes = " or ".join(
        "a scalar" if not shape else f"a tensor of shape {list(shape)}" for shape in sorted(allowed)
    )
    hint = None
    if isinstance(result, tuple | dict):
        hint = "say which element is the loss: returns=0 or --returns 0"
    elif isinstance(result, Tensor) and result.dim() and () in allowed:
        hint = "reduce it (see numerics.reductions)"
    elif isinstance(result, float):
        hint = "return the tensor: a number has no gradient"
    kind = "a scalar loss" if () in allowed else f"a result of the {family} family"
    return UnusableInput(
        f"{objective.name} does not return {kind}",
        objective.where,
        shapes,
        described(result),
        hint=hint,
    )


def no_gradient(sites: str, result: Any) -> str | None:
    """Why a result has no gradient, as a hint."""
    if isinstance(result, Tensor) and result.is_inference():
        return "it computes under torch.inference_mode()"
    return "it computes under torch.no_grad()" if "no_grad (" in sites else None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no message"])[0]


def _hint(error: Exception) -> str | None:
    text = str(error)
    if "in-place" in text:
        return "it changes its input in place; copy first"
    if "does not require grad" in text:
        return "return the loss as a tensor; it is differentiated here"
    if "dtype" in text or "expected scalar type" in text or "expected m1 and m2" in text:
        return 'for a loss that takes another type, dtypes="float32" or --dtype float32'
    return None


def _raised_at(error: Exception, objective: Objective) -> str:
    """The deepest frame of the user's own file, else where the loss is defined."""
    own, place, trace = objective.where.rpartition(":")[0], objective.where, error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
        if file == own:
            place = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
