"""Each module of the lessons carries its reference, and the examples in it run."""

import doctest
import importlib
import pkgutil

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
