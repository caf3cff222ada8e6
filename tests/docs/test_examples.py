"""Every worked example, number by number: the text on the page is what a function computes, which
is found by the theorem's chapter and name.  The main theorems have one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from derivations.library import catalogue
from derivations.tactics.theorem import Theorem

EXAMPLES = [t for t in catalogue() if "example" in t.instances]

# The theorems of the catalogue by which the project is judged; those that do not exist yet are
# asked for nothing.
MAIN = (Path(__file__).parents[1] / "data/main_theorems.txt").read_text(encoding="utf-8").split()


def name_of(t: Theorem) -> str:
    return t.name.rpartition(".")[2]


@pytest.mark.parametrize("t", EXAMPLES, ids=name_of)
def test_the_example_says_what_is_computed(t: Theorem) -> None:
    chapter = import_module(f"tests.docs.examples.{t.name.partition('.')[0]}")
    compute: Any = getattr(chapter, name_of(t))
    assert t.instances["example"] == compute()


def test_the_main_theorems_have_an_example_and_reasons_for_their_hypotheses() -> None:
    found = {name_of(t): t for t in catalogue() if name_of(t) in MAIN}
    assert len(found) > 25
    assert [name for name, t in found.items() if not t.instances.get("example")] == []
    assert [name for name, t in found.items() if t.given and not t.instances.get("why")] == []


@pytest.mark.parametrize("t", [t for t in catalogue() if t.instances.get("why")], ids=name_of)
def test_each_reason_belongs_to_a_hypothesis(t: Theorem) -> None:
    names = {h.name for h in t.given}
    assert set(t.instances["why"]) - names == set()
