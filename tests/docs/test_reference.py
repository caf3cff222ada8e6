"""Every public symbol is on the API pages with what its docstring has to hold, the examples run,
and what is missing is seen."""

from __future__ import annotations

import doctest
import importlib
import sys
from dataclasses import dataclass

import pytest

from docs.instances import INSTANCES, instance
from docs.pages.api import api_pages, doors, front, own_names, public, undocumented
from docs.reference import lacking

MODULES = sorted({full.rpartition(".")[0] for full in public()})
# The lessons' examples are run by their own test.
EXAMPLES = [m for m in MODULES if not m.startswith("numerics.lessons.")]


def test_every_public_symbol_has_its_reference() -> None:
    assert [*undocumented(public())] == []


def test_what_is_public() -> None:
    names = public()
    assert len(names) == len(set(names)) > 300
    assert {*front("derivations"), *front("numerics")} <= {*names}
    ends = {full.rpartition(".")[2] for full in names}
    assert {"check", "descend", "identify", "regions", "objective", "ppo_clip", "KL"} <= ends
    assert "path_of" in own_names("docs.site")


def test_every_public_symbol_is_on_a_page() -> None:
    text = "\n".join(api_pages().values()) + "\n"
    assert [full for full in public() if f"::: {full}\n" not in text] == []


@pytest.mark.parametrize("module", ["derivations", "numerics", *EXAMPLES])
def test_examples_run(module: str) -> None:
    importlib.import_module(module)
    assert doctest.testmod(sys.modules[module]).failed == 0


def test_instances_are_of_notation_and_hold_formulas() -> None:
    for module, known in INSTANCES.items():
        assert {*known} <= {*own_names(module)}
        for name in known:
            shown = instance(f"{module}.{name}")
            assert shown is not None and name in shown[0] and all(shown[1])


# ------------------------------------------------------------------ what is missing is seen

HERE = "tests.docs.test_reference"


def bare() -> None: ...


def door() -> None:
    """Says what it does, and neither its errors nor how to use it."""


def tensors(x: Tensor) -> None:  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
    """Says neither shapes nor units."""


def raising(x: int) -> None:
    """Does not say what it raises."""
    _refuse(x)


def _refuse(x: int) -> None:
    raise ValueError(x)


def told(x: Tensor) -> None:  # noqa: F821  # pyright: ignore[reportUndefinedVariable]
    """Says all of it.

    Shapes: x [B,T].
    Units: nats.
    Raises: ValueError always.
    """
    _refuse(0)


@dataclass(frozen=True)
class Pair:
    """Names `first` only."""

    first: int
    second: int


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("bare", ["docstring"]),
        ("tensors", ["Shapes", "Units"]),
        ("raising", ["Raises"]),
        ("told", []),
        ("Pair", ["fields"]),
    ],
)
def test_what_a_docstring_lacks_is_named(name: str, missing: list[str]) -> None:
    assert lacking(f"{HERE}.{name}") == missing


def test_a_front_door_says_its_errors_and_how_it_is_used() -> None:
    assert lacking(f"{HERE}.door", frozenset([f"{HERE}.door"])) == ["Raises", "use"]
    assert "numerics.check.check" in doors()


def test_an_objective_without_its_reference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from numerics.objectives import gpg

    assert lacking("numerics.objectives.gpg.gpg") == []
    monkeypatch.setattr(gpg, "__doc__", "Group policy gradient.")
    monkeypatch.setattr(gpg.gpg, "__doc__", "The loss.\n\nShapes: logp [B,T].\nSign: minimised.")
    missing = ["formula", "Source", "Units", "Gradient", "Raises", "example"]
    assert lacking("numerics.objectives.gpg.gpg") == missing


def test_notation_without_a_formula_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from derivations.language import probability

    monkeypatch.setattr(probability.KL, "__doc__", "The divergence.")
    assert lacking("derivations.language.probability.KL") == ["term"]
