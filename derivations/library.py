"""Finding theorems: in the catalogue's folders, and in a user's own file.

Nothing is listed anywhere: a theorem is found because its module lies in `derivations/theorems`.
Proofs never run here.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from pathlib import Path

from derivations.tactics.theorem import Theorem


class Unusable(Exception):
    """A user's mistake: what, where, expected, got.  Shown without a traceback; exit status 2."""


def catalogue() -> list[Theorem]:
    """The catalogue, in the order of the folders and of the names."""
    package = importlib.import_module("derivations.theorems")
    found: list[Theorem] = []
    for info in pkgutil.walk_packages(package.__path__, "derivations.theorems."):
        if not info.ispkg:
            found += theorems_of(importlib.import_module(info.name))
    return sorted(found, key=lambda t: t.name)


def theorems_of(module: object) -> list[Theorem]:
    """The theorems that a module itself declares, in the order of its lines."""
    file = getattr(module, "__file__", None)
    mine = {t.name: t for t in vars(module).values() if isinstance(t, Theorem) and t.file == file}
    return sorted(mine.values(), key=lambda t: t.line)


def load_file(path: str | Path) -> list[Theorem]:
    """The theorems of a user's file; the file's code runs because the user named it."""
    where = Path(path)
    if not where.is_file():
        raise Unusable(f"there is no file {path}")
    name = f"_user_{where.stem}"
    spec = importlib.util.spec_from_file_location(name, where)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path} is not a Python file: expected a name ending in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except SyntaxError as e:
        raise Unusable(f"{path}, line {e.lineno}: {e.msg}") from None
    except BaseException as e:
        line = _line_in(e, where)
        raise Unusable(f"{path}{line}: importing it raised {type(e).__name__}: {e}") from None
    seen: dict[str, int] = {}
    for t in _declared(module):
        if t.name in seen:
            raise Unusable(f"{path}: two theorems are called {t.name.split('.')[-1]}")
        seen[t.name] = t.line
    found = theorems_of(module)
    if not found:
        raise Unusable(f"{path} declares no theorem: expected a function decorated with @theorem")
    return found


def _declared(module: object) -> list[Theorem]:
    file = getattr(module, "__file__", None)
    return [t for t in vars(module).values() if isinstance(t, Theorem) and t.file == file]


def _line_in(e: BaseException, where: Path) -> str:
    lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == str(where)]
    return f", line {lines[-1]}" if lines else ""


def find(name: str, among: list[Theorem] | None = None) -> Theorem:
    """The theorem with this id, or with this last part of an id; the nearest names otherwise."""
    known = catalogue() if among is None else among
    for t in known:
        if name in (t.name, t.name.split(".")[-1]):
            return t
    names = [n for t in known for n in (t.name, t.name.split(".")[-1])]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Unusable(f"there is no theorem {name}{hint}")
