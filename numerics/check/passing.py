"""How an argument is handed to a loss: samples are float64 tensors, a loss may want another form.

`dtypes=` of an objective names it: "float32" (or another floating type) for every floating
argument, or by name: {"mask": "bool", "group": "numpy", "rewards": "list"}. `shapes={"adv": "BT1"}`
asks for a trailing axis of size one. The conversion is part of the graph: gradients come back to
the float64 sample.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from numerics.errors import UnusableInput
from numerics.families import WHOLE, Family
from numerics.objective import Objective

FLOATING = ("float64", "float32", "bfloat16", "float16")
EXACT = ("bool", "int64", "int32")
CONTAINERS = {"numpy": ".numpy()", "list": ".tolist()"}
FORMS = (*FLOATING, *EXACT, *CONTAINERS)


@dataclass(frozen=True)
class Form:
    """What is passed for one argument: its type (None: as sampled), and a trailing axis or not."""

    dtype: str | None = None
    trailing: str = ""  # "1" for an axis of size one behind the others

    def passed(self, value: Tensor, device: str) -> Any:
        """The value in this form, on a device."""
        value = value.unsqueeze(-1) if self.trailing else value
        if self.dtype in CONTAINERS:
            held = value.detach().cpu()
            return held.numpy() if self.dtype == "numpy" else held.tolist()
        if self.dtype is not None:
            value = value.to(getattr(torch, self.dtype))
        return value if value.device == torch.device(device) else value.to(device)

    @property
    def expression(self) -> str:
        """What follows the argument in a reproduction."""
        axis = "[..., None]" if self.trailing else ""
        if self.dtype is None:
            return axis
        return axis + CONTAINERS.get(self.dtype, f".to(torch.{self.dtype})")


def forms(objective: Objective, family: Family, names: tuple[str, ...]) -> dict[str, Form]:
    """The declared form of each argument; raises UnusableInput for one that does not exist."""
    declared = objective.dtypes
    if isinstance(declared, str):
        _require(objective, declared, FLOATING, "every argument")
        whole = {a.name for a in family.arguments if a.holds == WHOLE}
        declared = {name: declared for name in names if name not in whole}
    for name, dtype in declared.items():
        _require(objective, name, names, "dtypes=")
        _require(objective, dtype, FORMS, name)
    found = {name: Form(dtype) for name, dtype in declared.items()}
    for name, axes in objective.shapes.items():
        if axes.endswith("1"):
            found[name] = Form(found.get(name, Form()).dtype, "1")
    return found


def _require(objective: Objective, got: Any, known: tuple[str, ...], what: str) -> None:
    if got not in known:
        told = f"dtypes= of {objective.name}, {what}"
        raise UnusableInput(told, objective.where, ", ".join(known), str(got))


def other_forms(given: Mapping[str, Form], names: tuple[str, ...]) -> list[dict[str, Form]]:
    """The forms to try where a loss raises for a mask of numbers: truth values, integers."""
    masks = [name for name in names if name.startswith("mask") and name not in given]
    kinds = ("bool", "int64") if masks else ()
    return [{**given, **{name: Form(kind) for name in masks}} for kind in kinds]
