"""An objective as Python text, for reproductions: how it is imported, declared and called.

What a file declares is imported by its name; what was declared beside it, on the command line or in
a session, is written down again.
"""

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from numerics.check.load import ALIAS
from numerics.objective import Objective

_NOT_DECLARED = ("function", "name", "home")


def imports(objective: Objective) -> str:
    """`from my_losses import my_loss`, and the factory where it is not the file's own."""
    lines = [f"from {_module_of(objective)} import {objective.name.split('.')[0]}"]
    factory = _beside("setup", objective)
    if factory is not None:
        lines.append(f"from {factory.__module__.removeprefix(ALIAS)} import {factory.__name__}")
    return "; ".join(lines)


def declared(objective: Objective) -> str:
    """An expression for the objective: its name, or `objective(name, claims=...)`."""
    written = _keywords(objective)
    if not written:
        return objective.name
    own = ".function" if _own(objective) else ""
    listed = ", ".join(f"{key}={text}" for key, text in written.items())
    return f"objective({objective.name}{own}, {listed})"


def judged(objective: Objective) -> str:
    """An expression for the callable that is judged."""
    factory = _beside("setup", objective)
    if objective.setup is None:
        return objective.name
    if factory is None:
        return f"{objective.name}.judged"
    own = ".function" if _own(objective) else ""
    constants = {} if not objective.constants else {"constants": dict(objective.constants)}
    listed = "".join(f", {key}={value!r}" for key, value in constants.items())
    return f"objective({objective.name}{own}, setup={factory.__name__}{listed}).judged"


def _module_of(objective: Objective) -> str:
    places = (objective.home, getattr(objective.function, "__module__", None))
    first = objective.name.split(".")[0]
    holds = [p for p in places if p and hasattr(sys.modules.get(p), first)]
    return (holds or [p for p in places if p] or ["my_losses"])[0].removeprefix(ALIAS)


def _own(objective: Objective) -> Objective | None:
    """What the file itself declares under this name."""
    held = getattr(sys.modules.get(objective.home), objective.name, None)
    return held if isinstance(held, Objective) else None


def _beside(field: str, objective: Objective) -> Any:
    """A field's value where the file's own declaration has another one."""
    value, known = getattr(objective, field), getattr(_own(objective), field, None)
    return None if value is known else value


def _keywords(objective: Objective) -> dict[str, str]:
    """What is declared beside the file, as text; nothing where it cannot be written down."""
    own, written = _own(objective), dict[str, str]()
    for field in fields(objective):
        value, known = (_plain(getattr(one, field.name, None)) for one in (objective, own))
        if field.name in _NOT_DECLARED or repr(value) in (repr(known), "{}", "()", "None"):
            continue
        if field.name == "setup":
            written["setup"] = value.__name__
        elif not _readable(value):
            return {}
        elif field.name == "options":
            written |= {key: repr(option) for key, option in value.items()}
        else:
            written[field.name] = repr(value)
    return written


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value


def _readable(value: Any) -> bool:
    """Whether repr(value) is an expression of it."""
    if isinstance(value, Mapping):
        return all(map(_readable, value.values()))
    if isinstance(value, tuple | list):
        return all(map(_readable, value))
    return value is None or isinstance(value, str | int | float | bool)
