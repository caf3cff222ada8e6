"""Finding theorems: in the catalogue's folders, and in a user's own file.

Nothing is listed anywhere: a theorem is found because its module lies in `derivations/theorems`.
Proofs never run here.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from derivations.tactics.theorem import Theorem

PACKAGE = "derivations.theorems"


class Unusable(Exception):
    """A user's mistake: what, where, expected, got.  Shown without a traceback; exit status 2."""


# ------------------------------------------------------------------ the catalogue


def catalogue() -> list[Theorem]:
    """The catalogue, in the order of the folders and of the names.

    Raises: Unusable for a theorem's file that cannot be imported.
    """
    package = importlib.import_module(PACKAGE)
    found: list[Theorem] = []
    for info in pkgutil.walk_packages(package.__path__, PACKAGE + "."):
        if not info.ispkg:
            found += theorems_of(_imported(info.name))
    return sorted(found, key=lambda t: t.name)


def _imported(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except Exception as e:
        raise Unusable(f"{module}: importing it raised {type(e).__name__}: {e}") from None


def theorems_of(module: ModuleType) -> list[Theorem]:
    """The theorems that a module itself declares, in the order of its lines."""
    mine = [t for t in vars(module).values() if isinstance(t, Theorem)]
    own = {t.name: t for t in mine if t.file == module.__file__}
    return sorted(own.values(), key=lambda t: t.line)


# ------------------------------------------------------------------ what a user names


def select(target: str) -> list[Theorem]:
    """The theorems that a user means by NAME, FILE.py or FILE.py:NAME.

    Raises Unusable for what is not there, with the nearest name that is.
    """
    place, colon, name = target.rpartition(":")
    if colon and place.endswith(".py"):
        return [find(name, load_file(place))]
    if target.endswith(".py") or "/" in target or "\\" in target or Path(target).exists():
        return load_file(target)
    return [find(target)]


def find(name: str, among: Sequence[Theorem] | None = None) -> Theorem:
    """The theorem with this id, or with this last part of an id; the nearest name otherwise."""
    if among is None:
        found = _named(name, _in_its_own_module(name))
        if found is not None:
            return found
    known = catalogue() if among is None else among
    found = _named(name, known)
    if found is not None:
        return found
    names = [n for t in known for n in (t.name.split(".")[-1], t.name)]
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise Unusable(f"there is no theorem {name}{hint}")


def _named(name: str, among: Sequence[Theorem]) -> Theorem | None:
    return next((t for t in among if name in (t.name, t.name.split(".")[-1])), None)


def _in_its_own_module(name: str) -> list[Theorem]:
    """Most theorems are called like their module: only that one is imported then."""
    stem = name.split(".")[-1]
    folders = [f for f in _folder().iterdir() if (f / f"{stem}.py").is_file()]
    return [t for f in folders for t in theorems_of(_imported(f"{PACKAGE}.{f.name}.{stem}"))]


def _folder() -> Path:
    return Path(importlib.import_module(PACKAGE).__path__[0]).resolve()


def load_file(path: str | Path) -> list[Theorem]:
    """The theorems of a user's file; the file's code runs because the user named it."""
    where = Path(path)
    _reject_duplicates(path, _parsed(where))
    found = theorems_of(_module_of(where))
    if not found:
        raise Unusable(f"{path} declares no theorem: expected a function decorated with @theorem")
    return found


def _parsed(where: Path) -> ast.Module:
    if where.is_dir():
        raise Unusable(f"{where} is a folder: expected a Python file with theorems")
    if not where.is_file():
        raise Unusable(f"there is no file {where}")
    if where.suffix != ".py":
        raise Unusable(f"{where} is not a Python file: expected a name ending in .py")
    try:
        return ast.parse(where.read_bytes(), str(where))
    except SyntaxError as e:
        at = f", line {e.lineno}" if e.lineno else ""
        raise Unusable(f"{where}{at}: {e.msg}") from None
    except (ValueError, OSError) as e:  # null bytes; no permission
        raise Unusable(f"{where} cannot be read: {e}") from None
    except (RecursionError, MemoryError):
        raise Unusable(f"{where} is nested too deeply to be parsed") from None


def _reject_duplicates(path: str | Path, tree: ast.Module) -> None:
    """Python keeps the last of two functions with one name; the first proof would be forgotten."""
    lines: dict[str, int] = {}
    for f in [f for f in tree.body if isinstance(f, ast.FunctionDef) and _declares_theorem(f)]:
        if f.name in lines:
            both = f"lines {lines[f.name]} and {f.lineno}"
            raise Unusable(f"{path}: two theorems are called {f.name} ({both})")
        lines[f.name] = f.lineno


def _declares_theorem(f: ast.FunctionDef) -> bool:
    calls = [d.func if isinstance(d, ast.Call) else d for d in f.decorator_list]
    names = [c.attr if isinstance(c, ast.Attribute) else getattr(c, "id", "") for c in calls]
    return "theorem" in names


def _module_of(where: Path) -> ModuleType:
    """The file as a module, once a process and a version; the catalogue's own keep their names."""
    full = where.resolve()
    if full.is_relative_to(_folder()):
        dotted = ".".join(full.relative_to(_folder()).with_suffix("").parts)
        return _imported(f"{PACKAGE}.{dotted}")
    version = hashlib.sha256(str(full).encode() + where.read_bytes()).hexdigest()[:12]
    name = f"_user_{full.stem}_{version}"
    return sys.modules[name] if name in sys.modules else _execute(name, where)


def _execute(name: str, where: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, where)
    assert spec is not None and spec.loader is not None  # a .py file always has a loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as e:  # SystemExit too: a file must not end the command
        del sys.modules[name]
        raise Unusable(
            f"{where}{line_in(e, where)}: importing it raised {type(e).__name__}: {e}"
        ) from None
    return module


def line_in(e: BaseException, where: str | Path) -> str:
    """ ", line 7" where an exception was raised in this file, "" if elsewhere."""
    frames = traceback.extract_tb(e.__traceback__)
    full = Path(where).resolve()
    lines = [f.lineno for f in frames if Path(f.filename).resolve() == full]
    return f", line {lines[-1]}" if lines else ""
