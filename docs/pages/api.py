"""The API pages: which names are public, and where mkdocstrings finds their docstrings."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any

from docs.markup import page

AUTHORS = ("syntax", "reasons", "probability", "mdp", "preferences", "printing")
KERNEL = ("rules", "axioms", "certificate")


def api_pages() -> dict[str, str]:
    """Path and text of every API page."""
    return {
        "api/derivations.md": _page(
            "derivations", "Stating and proving theorems", public_names("derivations")
        ),
        "api/language.md": _page(
            "derivations.language",
            "Formulas and the named hypotheses of the field",
            modules("derivations.language", AUTHORS),
        ),
        "api/kernel.md": _page(
            "derivations.kernel",
            "Rules, axioms, certificates",
            modules("derivations.kernel", KERNEL),
        ),
        "api/numerics.md": _page(
            "numerics", "Checking a loss; numbers beside proofs", public_names("numerics")
        ),
        "api/objectives.md": _page(
            "numerics.objectives", "Reference objectives", reference_objectives()
        ),
    }


def public_names(package: str) -> list[str]:
    """The names in a package's __all__, each by the module that defines it."""
    module: Any = importlib.import_module(package)
    homes = getattr(module, "_WHERE", None) or module._HOME
    return [f"{homes[name]}.{name}" for name in module.__all__]


def modules(package: str, names: tuple[str, ...]) -> list[str]:
    """The public functions and classes that some modules define, in the order of the files."""
    out = []
    for name in names:
        module = importlib.import_module(f"{package}.{name}")
        out += [f"{module.__name__}.{n}" for n in own_names(module.__name__)]
    return out


def own_names(module: str) -> list[str]:
    """Functions and classes defined in a module itself, private ones aside."""
    found = importlib.import_module(module)
    mine = lambda x: inspect.isfunction(x) or inspect.isclass(x)  # noqa: E731
    return [
        name
        for name, x in vars(found).items()
        if mine(x) and x.__module__ == module and x.__name__ == name and name[0] != "_"
    ]


def reference_objectives() -> list[str]:
    """The torch function of every reference objective."""
    from numerics.objectives import references

    return [f"{r.function.__module__}.{r.name}" for r in references().values()]


def undocumented(names: list[str]) -> Iterator[str]:
    """The names without a docstring."""
    for full in names:
        module, _, name = full.rpartition(".")
        if not inspect.getdoc(vars(importlib.import_module(module))[name]):
            yield full


def _page(title: str, description: str, names: list[str]) -> str:
    bare = [*undocumented(names)]
    if bare:
        raise SystemExit(f"without a docstring, so not on the API pages: {', '.join(bare)}")
    blocks = [f"::: {name}" for name in names]
    return page(title, description, f"# {title}", f"{description}.", *blocks)
