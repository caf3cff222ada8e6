"""Compiled code run as it is written, so that a mode sees its torch calls one by one."""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import Any


def eagerly() -> AbstractContextManager[Any]:
    """A block in which functions of torch.compile run uncompiled.

    Nothing where dynamo was never loaded, which costs seconds, or where torch (before 2.6) has no
    such switch.
    """
    if "torch._dynamo" not in sys.modules:
        return nullcontext()
    import torch

    stance: Any = getattr(torch.compiler, "set_stance", None)
    return nullcontext() if stance is None else stance("force_eager")
