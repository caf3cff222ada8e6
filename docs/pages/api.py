"""The API pages: which names are public, and where mkdocstrings finds their docstrings."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docs.markup import page, paragraphs
from docs.reference import lacking

AUTHORS = ("syntax", "reasons", "probability", "mdp", "preferences", "printing")
KERNEL = ("rules", "axioms", "certificate")
# What the loss checker's functions return, and what they raise.
CHECKER = {
    "numerics.objective": ("objective", "Objective"),
    "numerics.check": ("check", "Report"),
    "numerics.properties": ("Finding", "Property", "Setting", "properties"),
    "numerics.check.descent": ("descend",),
    "numerics.check.answers": ("Decomposition", "Term", "PromptWeight"),
    "numerics.check.identify": ("identify",),
    "numerics.check.candidate": ("Identification", "Candidate"),
    "numerics.check.regions": ("regions", "Regions", "Region", "Kink", "Decided"),
    "numerics.errors": ("UnusableInput",),
    "numerics.families": ("Family", "Argument", "families", "sample"),
    "numerics.objectives": ("Reference", "references", "reference"),
    "numerics.reductions": ("reduce_tokens",),
}
DOORS = ("numerics.check.identify.identify", "numerics.check.regions.regions")
PLUMBING = ("notebooks", "progress")  # of the lessons: not about policy optimisation
PAGES = ("derivations", "language", "kernel", "numerics", "objectives", "lessons")
PATHS = tuple(f"api/{name}.md" for name in PAGES)
Names = Mapping[str, Sequence[str]]  # names by the module that defines them


def api_pages() -> dict[str, str]:
    """Path and text of every API page."""
    bare = [full for full in public() if lacking(full, doors()) == ["docstring"]]
    if bare:
        raise SystemExit(f"without a docstring, so not on the API pages: {', '.join(bare)}")
    pages = (
        _page("derivations", "Stating and proving theorems", derivations()),
        _page("derivations.language", "Formulas and the hypotheses of the field", language()),
        _page("derivations.kernel", "Rules, axioms, certificates", kernel()),
        _page("numerics", "Checking a loss", CHECKER),
        _objectives(),
        _page("numerics.lessons", "Small models and estimators of the lessons", lessons()),
    )
    return dict(zip(PATHS, pages, strict=True))


# ------------------------------------------------------------------ what is public


def public() -> list[str]:
    """Every public symbol by its full name."""
    groups = (derivations(), language(), kernel(), CHECKER, reference_objectives(), lessons())
    return [f"{module}.{n}" for group in groups for module, names in group.items() for n in names]


def doors() -> frozenset[str]:
    """The functions that a user calls first."""
    return frozenset([*front("derivations"), *front("numerics"), *DOORS])


def front(package: str) -> list[str]:
    """The names in a package's __all__, each by the module that defines it."""
    module: Any = importlib.import_module(package)
    homes = getattr(module, "_WHERE", None) or module._HOME
    return [f"{homes[name]}.{name}" for name in module.__all__]


def derivations() -> Names:
    """The front doors of the proofs."""
    found: dict[str, list[str]] = {}
    for full in front("derivations"):
        module, _, name = full.rpartition(".")
        if module != "derivations.language.reasons":  # shown with the language
            found.setdefault(module, []).append(name)
    return found


def language() -> Names:
    """The author's language."""
    modules = [f"derivations.language.{name}" for name in AUTHORS]
    return {module: own_names(module) for module in modules}


def kernel() -> Names:
    """The rules, the axioms and the certificates of the kernel."""
    modules = [f"derivations.kernel.{name}" for name in KERNEL]
    return {module: own_names(module) for module in modules}


def reference_objectives() -> dict[str, list[str]]:
    """The torch function of every reference objective."""
    from numerics.objectives import references

    return {r.function.__module__: [r.name] for r in references().values()}


def lessons() -> Names:
    """The lessons' topics."""
    import numerics.lessons as package

    found = pkgutil.iter_modules(package.__path__, package.__name__ + ".")
    names = [m.name for m in found if not m.ispkg and not m.name.endswith(PLUMBING)]
    return {name: own_names(name) for name in names}


def own_names(module: str) -> list[str]:
    """Functions and classes defined in a module itself, private ones aside."""
    found = importlib.import_module(module)
    mine = lambda x: inspect.isfunction(x) or inspect.isclass(x)  # noqa: E731
    return [
        name
        for name, x in vars(found).items()
        if mine(x) and x.__module__ == module and x.__name__ == name and name[0] != "_"
    ]


# ------------------------------------------------------------------ pages


def undocumented(names: Sequence[str]) -> Iterator[str]:
    """What the names' docstrings lack, one line a name."""
    known = doors()
    for full in names:
        bare = lacking(full, known)
        if bare:
            yield f"{full}: {', '.join(bare)}"


def _page(title: str, about: str, names: Names) -> str:
    front = importlib.import_module(title).__doc__ if title in ("derivations", "numerics") else ""
    blocks = [b for module, shown in names.items() for b in _module(title, module, shown)]
    lead = paragraphs(front) if front else f"{about}."
    return page(title, about, f"# {title}", lead, *blocks)


def _module(title: str, module: str, names: Sequence[str]) -> Iterator[str]:
    """A heading, the module's docstring, then each of the names."""
    yield f"## {module.removeprefix(title + '.')}"
    about = importlib.import_module(module).__doc__
    if about:
        yield paragraphs(about)
    yield from (_symbol(f"{module}.{name}", 3) for name in names)


def _symbol(full: str, level: int) -> str:
    """What mkdocstrings replaces by a symbol's signature and docstring."""
    return f"::: {full}\n    options:\n      heading_level: {level}"


def _objectives() -> str:
    """Reference objectives: the module's docstring is a part of the function's."""
    title = "numerics.objectives"
    blocks = []
    for module, (name,) in reference_objectives().items():
        blocks.append(_symbol(f"{module}.{name}", 2))
        blocks.append(f"[Cases, flat regions and properties](../objectives/{name}.md).")
    lead = (
        "The loss or the estimate of each, in torch. Tensors are named by their axes: B responses, "
        "T tokens, V the vocabulary, [] a number."
    )
    return page(title, "Reference objectives in torch", f"# {title}", lead, *blocks)
