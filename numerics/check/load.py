"""From what a user typed to objectives: FILE.py[:NAME] or package.module:function.

A file is executed because a command named it, and under no other circumstance.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from numerics.errors import UnusableInput
from numerics.objective import Objective, objective

ALIAS = "_proofgrad_"  # before the name of a file whose own name is a module already


def load(target: str, declared: Mapping[str, Any] | None = None) -> tuple[Objective, ...]:
    """The objectives that a target names, with what was declared on the command line laid over
    them.

    `declared` holds keywords of `objective(...)`, `setup` as a target of its own. Raises
    UnusableInput for a file, module or name that is not there, and for a file that raises.
    """
    place, _, name = target.rpartition(":") if _has_name(target) else (target, "", "")
    module = _module(place, target)
    declared = dict(declared or {})
    if isinstance(declared.get("setup"), str):
        declared["setup"] = _factory(declared["setup"], place, module)
    found = {name: _named(module, name, target)} if name else _declared_in(module, place)
    return tuple(_overlaid(entry, declared, module, own) for own, entry in found.items())


def _module(place: str, target: str) -> ModuleType:
    return _from_file(Path(place)) if place.endswith(".py") else _from_package(place, target)


def _factory(setup: str, place: str, module: ModuleType) -> Callable[..., Any]:
    """The function that --setup names, of the target's own module or of another one."""
    if not _has_name(setup):
        raise UnusableInput(
            "cannot read --setup", expected="module:function or FILE.py:function", got=setup
        )
    other, _, name = setup.rpartition(":")
    return _named(module if other == place else _module(other, setup), name, setup)


def _has_name(target: str) -> bool:
    head, colon, tail = target.rpartition(":")
    return (
        bool(colon)
        and bool(head)
        and not tail.endswith(".py")
        and "/" not in tail
        and "\\" not in tail
    )


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UnusableInput(
            "there is no such file", expected="a Python file with an @objective", got=str(path)
        )
    name = path.stem if path.stem not in sys.modules else ALIAS + path.stem
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnusableInput("not a Python file", expected="a file that ends in .py", got=str(path))
    module = module_from_spec(spec)
    sys.modules[name] = module  # as if imported, so that dataclasses and pickles in it work
    folder = str(path.parent.resolve())
    if folder not in sys.path:  # its neighbours can be imported, as when it is run
        sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except UnusableInput:
        raise
    except (Exception, SystemExit) as error:
        where = f"{path.name}:{_line(error, path)}"
        raise UnusableInput(f"{path.name} raised {type(error).__name__}: {error}", where) from error
    return module


def _line(error: BaseException, path: Path) -> int | str:
    if isinstance(error, SyntaxError):
        return error.lineno or "?"
    line, trace = "?", error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == path.name:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _from_package(name: str, target: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        hint = "for a file, end in .py; for a function of a package, package.module:function"
        raise UnusableInput(f"cannot import {name}: {error}", got=target, hint=hint) from error
    except Exception as error:
        raise UnusableInput(
            f"importing {name} raised {type(error).__name__}: {error}", got=target
        ) from error


def _named(module: ModuleType, name: str, target: str) -> Objective | Callable[..., Any]:
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            known = ", ".join(n for n, v in vars(module).items() if isinstance(v, Objective))
            raise UnusableInput(
                f"{name} is not in {target.rpartition(':')[0]}",
                expected=known or "an @objective",
                got=name,
            )
        value = getattr(value, part)
    if not callable(value):
        raise UnusableInput(
            f"{name} is not a function",
            expected="an @objective or a function",
            got=type(value).__name__,
        )
    return value


def _declared_in(module: ModuleType, place: str) -> dict[str, Objective]:
    """The objectives by the names that the module gives them; imported ones only without own."""
    named = {id(v): (name, v) for name, v in vars(module).items() if isinstance(v, Objective)}
    found = dict(named.values())
    own = {name: value for name, value in found.items() if value.home == module.__name__} or found
    if not own:
        raise UnusableInput(
            f"{place} declares no objective",
            expected="a function under @objective",
            got="none",
            hint=f"or name a function: {place}:my_loss",
        )
    return own


def _overlaid(
    entry: Objective | Callable[..., Any],
    declared: Mapping[str, Any],
    module: ModuleType,
    name: str,
) -> Objective:
    if not isinstance(entry, Objective):
        return replace(objective(entry, **declared), home=module.__name__, name=name)
    known = Objective.__dataclass_fields__
    fields = {key: value for key, value in declared.items() if key in known}
    options = {key: value for key, value in declared.items() if key not in known}
    for key in ("args", "constants"):
        if key in fields:
            fields[key] = {**getattr(entry, key), **fields[key]}
    if options or fields.get("like", entry.like) != entry.like:
        fields["options"] = options if "like" in fields else {**entry.options, **options}
    return replace(entry, **{**fields, "home": module.__name__, "name": name})
