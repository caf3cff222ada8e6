"""Compiled code run as it is written, so that a mode sees its torch calls one by one."""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Self

import torch
from torch.overrides import TorchFunctionMode


def eagerly() -> AbstractContextManager[Any]:
    """A block in which functions of torch.compile run uncompiled.

    Nothing where dynamo was never loaded, or where torch (before 2.6) has no such switch.
    """
    stance: Any = getattr(torch.compiler, "set_stance", None)
    if stance is None or "torch._dynamo" not in sys.modules:
        return nullcontext()
    return stance("force_eager")


class EagerMode(TorchFunctionMode):
    """A mode in whose block compiled code runs as it is written: traced, its calls would be
    others.
    """

    def __enter__(self) -> Self:
        self.eager = eagerly()
        self.eager.__enter__()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self.eager.__exit__(*error)
