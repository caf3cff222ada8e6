"""Reference objectives: one file each, the torch implementation and the kernel term of the same
loss.

A file `name.py` defines `FAMILY` (a family's name), `name(...)` whose positional arguments are that
family's and whose keyword-only arguments are its options, and `specification(...)`, a kernel term
per token. `references()` finds them.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from numerics.errors import UnusableInput

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Reference:
    """A reference objective.

    name           as `like=` names it
    family         the name of its family
    function       its torch code
    specification  a function that makes its kernel term, per token; None where it has none
    """

    name: str
    family: str
    function: Callable[..., "Tensor"]
    specification: Callable[..., Any] | None

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the data that it takes."""
        parameters = inspect.signature(self.function).parameters.values()
        return tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY)

    @property
    def options(self) -> dict[str, Any]:
        """Names of its options and their defaults."""
        parameters = inspect.signature(self.function).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    def evaluate(self, inputs: Mapping[str, "Tensor"], options: Mapping[str, Any]) -> "Tensor":
        """Its value on a sample of its family.

        Raises: UnusableInput for an option that it does not have.
        """
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            known = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
            raise UnusableInput(
                f"{self.name} has no option {unknown[0]}", expected=known, got=", ".join(unknown)
            )
        return self.function(**{name: inputs[name] for name in self.arguments}, **options)


def references() -> dict[str, Reference]:
    """Every reference objective of this folder, by name."""
    found = {}
    for name in sorted(module.name for module in iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        specification = getattr(module, "specification", None)
        found[name] = Reference(name, module.FAMILY, getattr(module, name), specification)
    return found


def reference(name: str) -> Reference:
    """One of them.

    Raises: UnusableInput with the known names.
    """
    known = references()
    if name not in known:
        raise UnusableInput("unknown objective in like=", expected=", ".join(known), got=repr(name))
    return known[name]
