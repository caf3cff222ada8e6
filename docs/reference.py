"""What the docstring of a public symbol has to hold, by what the symbol is, and what is missing.

A label begins a line: `Source:`, `Shapes:`, `Sign:`, `Units:`, `Gradient:`, `Raises:`, `Fields:`.
A formula is an indented line with a relation in it, an example is a doctest. What holds for a whole
module may stand in the module's own docstring, which the API pages show above its symbols.

    objective, lesson     formula, Source, Shapes, Sign, Units, Gradient, Raises, example
    notation              the term, printed by an example here or in `docs.instances`
    notation of the field also Source, Shapes, Units
    front door            Raises, and an example here or in its package's docstring
    takes tensors         Shapes, Units
    raises by itself      Raises
    class with fields     every field by its name
    rule of the kernel    its inference figure
    axiom of the kernel   its source (the page typesets the kernel's own formula)
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from derivations.kernel import axioms
from docs.instances import instance

LABELS = ("Source", "Shapes", "Sign", "Units", "Gradient", "Raises")
DEFINITIONS = tuple(f"derivations.language.{m}" for m in ("probability", "mdp", "preferences"))
SYNTAX = "derivations.language.syntax"
WHOLE = ("numerics.objectives.", "numerics.lessons.")  # one module, one thing
# Axioms whose docstring names no book: they follow from the definition at once.
IMMEDIATE = {
    "limit_of_constant": "Definition of a limit, Rudin 3.1, 4.1.",
    "limit_of_identity": "Definition of a limit, Rudin 4.1.",
}
RELATION = re.compile(r"[=<>≤≥]|->|subject to")
BOOK = re.compile(r"\b[A-Z]\w+[^.]* \d|Definition|Induction|rule")


def lacking(full: str, doors: frozenset[str] = frozenset()) -> list[str]:
    """What the symbol's documentation should hold and does not; `doors` are the front doors."""
    x, own = _symbol(full)
    if not own:
        return ["docstring"]
    module = full.rpartition(".")[0]
    about = (importlib.import_module(module).__doc__ or "") + "\n"
    return [need for need in needs(full, x, doors) if not has(need, x, own, about + own)]


def needs(full: str, x: Any, doors: frozenset[str]) -> Iterator[str]:
    """What applies to a symbol, from where it is and what it is."""
    module = full.rpartition(".")[0]
    if module.startswith("derivations.kernel."):
        own = module.rpartition(".")[2]
        yield from {"rules": ["figure"], "axioms": ["source"]}.get(own, [])
        return
    if inspect.isclass(x):
        yield "fields"
    if module.startswith(WHOLE):
        yield from ("formula", *LABELS, "example")
        return
    if module in DEFINITIONS and not inspect.isclass(x):
        yield from ("term", "Source", "Shapes", "Units")
    if module == SYNTAX:
        yield "term"
    if full in doors:
        yield from ("Raises", "use")
    elif raises(x):
        yield "Raises"
    if inspect.isfunction(x) and "Tensor" in _annotations(x):
        yield from ("Shapes", "Units")


def has(need: str, x: Any, own: str, whole: str) -> bool:
    """Whether a docstring (`whole`: with its module's) holds one thing."""
    if need == "figure":
        return re.search(r" gives? |\|-", own) is not None
    if need == "source":
        if x.__name__ not in axioms.names():
            return True
        return bool(BOOK.search(own)) or x.__name__ in IMMEDIATE
    if need == "formula":
        return any(line[:1] == " " and RELATION.search(line) for line in whole.splitlines())
    if need == "example":
        return ">>> " in whole
    if need == "use":
        front = importlib.import_module(x.__module__.partition(".")[0]).__doc__ or ""
        return re.search(rf"^(>>>|\.\.\.) .*\b{x.__name__}\b", f"{front}\n{own}", re.M) is not None
    if need == "term":
        full = f"{x.__module__}.{x.__name__}"
        return "print(text(" in own or instance(full) is not None
    if need == "fields":
        said = set(re.findall(r"\w+", own))
        return all(f in said for f in fields(x)) and all(inspect.getdoc(m) for m in members(x))
    return re.search(rf"^{need}: \S", whole, re.M) is not None


def fields(x: Any) -> list[str]:
    """The public fields of a dataclass."""
    if not dataclasses.is_dataclass(x):
        return []
    return [f.name for f in dataclasses.fields(x) if f.name[0] != "_"]


def members(x: Any) -> list[Any]:
    """The public methods and properties that a class itself defines."""
    kinds = (property, staticmethod, classmethod)
    held = set(fields(x))  # a default that is a function
    own = [(n, m) for n, m in vars(x).items() if n[0] != "_" and n not in held]
    return [m for _, m in own if inspect.isfunction(m) or isinstance(m, kinds)]


def raises(x: Any) -> bool:
    """Whether a function raises in its own lines or through private functions of its module."""
    module = vars(importlib.import_module(x.__module__))
    waiting, seen = [x], set()
    while waiting:
        f = waiting.pop()
        if not inspect.isfunction(f) or f in seen:
            continue
        seen.add(f)
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(f)))):
            if isinstance(node, ast.Raise):
                return True
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name == "need":
                    return True
                waiting += [module[name]] if name[0] == "_" and name in module else []
    return False


def _annotations(x: Any) -> str:
    return " ".join(map(str, x.__annotations__.values()))


def _symbol(full: str) -> tuple[Any, str]:
    module, _, name = full.rpartition(".")
    x = vars(importlib.import_module(module))[name]
    return x, inspect.getdoc(x) or ""
