"""Each module of the lessons carries its reference, and the examples in it run."""

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import numerics.lessons

LABELS = ("Source:", "Shapes:", "Sign:", "Units:", "Gradient:", "Raises:", ">>>")
FOUND = [*pkgutil.walk_packages(numerics.lessons.__path__, "numerics.lessons.")]
MODULES = [m.name for m in FOUND]
TOPICS = [m.name for m in FOUND if not m.ispkg and m.name.count(".") == 2]


def missing(doc: str | None) -> list[str]:
    return [label for label in LABELS if label not in (doc or "")]


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_has_its_reference(name: str) -> None:
    assert missing(importlib.import_module(name).__doc__) == []


def test_a_missing_reference_is_seen() -> None:
    assert missing("Source: here.\n>>> 1") == ["Shapes:", "Sign:", "Units:", "Gradient:", "Raises:"]
    assert missing(None) == list(LABELS)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0 or name not in TOPICS


def undocumented(module: ModuleType) -> list[str]:
    """Public functions, classes and methods of a module itself that say nothing."""
    own = {n: x for n, x in vars(module).items() if getattr(x, "__module__", "") == module.__name__}
    own = {n: x for n, x in own.items() if inspect.isfunction(x) or inspect.isclass(x)}
    for name, x in list(own.items()):
        if inspect.isclass(x):
            own |= {f"{name}.{n}": m for n, m in vars(x).items() if inspect.isfunction(m)}
    shown = {n: x for n, x in own.items() if "_" not in (n[0], n.split(".")[-1][0])}
    return [name for name, x in shown.items() if not (x.__doc__ or "").strip()]


@pytest.mark.parametrize("name", MODULES)
def test_what_is_public_is_documented(name: str) -> None:
    assert undocumented(importlib.import_module(name)) == []


def test_an_undocumented_function_is_seen() -> None:
    module = ModuleType("sample")
    exec("def f(): ...\nclass C:\n  'doc'\n  def m(self): ...\n  def _p(self): ...", vars(module))
    assert undocumented(module) == ["f", "C.m"]
