"""Docstrings are plain text with formulas in it: a Griffe extension keeps Markdown away from them.

Indented lines and doctests keep their lines; the rest is paragraphs.
"""

from __future__ import annotations

from typing import Any

import griffe  # pyright: ignore[reportMissingImports]

from docs.markup import paragraphs


class PlainDocstrings(griffe.Extension):
    """Rewrites each docstring once, when its object has been read."""

    def on_instance(self, *, obj: Any, **kwargs: Any) -> None:
        """Called by Griffe for every module, class, function and attribute."""
        if obj.docstring is not None:
            obj.docstring.value = paragraphs(obj.docstring.value)
