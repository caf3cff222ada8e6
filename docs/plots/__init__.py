"""Drawings for theorem pages, where looking says more than reading.

One file a theorem, named like it, with a function `plot` that gives a chart; it is found by its
name.  The numbers come from the functions that the lessons use.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec


def plot_of(name: str) -> str:
    """The drawing for a theorem, or nothing."""
    if find_spec(f"docs.plots.{name}") is None:
        return ""
    return str(import_module(f"docs.plots.{name}").plot())
