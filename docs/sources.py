"""Which source text a result depends on: the imports of a module, followed to their ends.

A cached result is filed under a digest of all that text, so that it is never older than its cause.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("derivations", "numerics")


@cache
def closure(module: str) -> frozenset[str]:
    """The project's modules that a module imports, directly or not, itself included."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return frozenset(found)


@cache
def _imports(module: str) -> tuple[str, ...]:
    path = file_of(module)
    if path is None:
        return ()
    names = set(_named(ast.parse(path.read_text(encoding="utf-8"))))
    inside = {name for n in names for name in (n, n.rpartition(".")[0]) if file_of(name)}
    return tuple(sorted(inside))


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def file_of(module: str) -> Path | None:
    """The file of one of the project's modules; None for anything else."""
    if module.split(".")[0] not in PACKAGES:
        return None
    place = ROOT.joinpath(*module.split("."))
    found = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in found if path.is_file()), None)


def files_of(modules: Iterable[str]) -> list[Path]:
    """Their files, in a fixed order."""
    return sorted({path for m in modules if (path := file_of(m)) is not None})


def folder(package: str) -> list[Path]:
    """Every Python file below a package."""
    return sorted(ROOT.joinpath(*package.split(".")).rglob("*.py"))


def digest(files: Iterable[Path], *more: str) -> str:
    """A digest of the texts of some files, their places included, and of some strings."""
    h = hashlib.sha256()
    for path in files:
        h.update(str(path.name).encode() + b"\0" + path.read_bytes() + b"\0")
    for text in more:
        h.update(text.encode() + b"\0")
    return h.hexdigest()[:32]
