"""pytest collects the theorems of `*_derivation.py` files, one test a theorem, and the losses of
`*_loss.py`, `*_losses.py`, `*_objective.py` and `*_objectives.py` files, one test a property.

Of the latter only a file whose text imports `objective` from this package is run; the ini option
`proofgrad_losses` sets other patterns (none: no losses), and a file that is named on the command
line needs no pattern. pytest loads this module in every run of an environment that has proofgrad:
nothing heavy is imported before a file is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

LOSSES = ["*_loss.py", "*_losses.py", "*_objective.py", "*_objectives.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The ini option `proofgrad_losses`."""
    text = "patterns of the files whose @objective losses are tests"
    parser.addini("proofgrad_losses", text, type="args", default=LOSSES)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file of derivations or of losses is a collector of its own; others are left alone."""
    if file_path.name.endswith("_derivation.py"):
        return DerivationFile.from_parent(parent, path=file_path)
    if file_path.suffix == ".py" and _may_hold_losses(file_path, parent):
        from numerics.pytest_losses import LossFile, imports_objective

        if imports_objective(file_path):
            return LossFile.from_parent(parent, path=file_path)
    return None


def _may_hold_losses(path: Path, parent: pytest.Collector) -> bool:
    """By its name, or because the user named it; never a test module."""
    if _matches(path, parent.config.getini("python_files")):
        return False
    named = parent.session.isinitpath(path)
    return named or _matches(path, parent.config.getini("proofgrad_losses"))


def _matches(path: Path, patterns: list[str]) -> bool:
    return any(fnmatch(path.name, pattern) for pattern in patterns)


class RefusedProof(Exception):
    """A proof that stops; the message says at which line and why."""


class DerivationFile(pytest.File):
    """A user's file of theorems."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test a theorem; a file that cannot be used is an error with one message."""
        from derivations.library import Unusable, load_file

        try:
            theorems = load_file(self.path)
        except Unusable as e:
            raise self.CollectError(str(e)) from None
        for t in theorems:
            yield TheoremItem.from_parent(self, name=t.name.split(".")[-1], theorem=t)


class TheoremItem(pytest.Item):
    """The test that a theorem's proof replays, without gaps."""

    def __init__(self, *, theorem: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.theorem = theorem

    def runtest(self) -> None:
        """Prove the theorem; only the kernel's replay counts."""
        from derivations.library import Unusable
        from numerics.proving import proved
        from numerics.refusal import NOT_SEARCHED, message

        try:
            proof = proved(self.theorem)
        except Unusable as e:
            raise RefusedProof(str(e)) from None
        if proof.refusal is not None:
            raise RefusedProof(message(proof, NOT_SEARCHED))
        if proof.status != "proved":
            gaps = proof.replayed.gaps if proof.replayed else ()
            raise RefusedProof(f"{self.theorem.name} has gaps: {gaps}")

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The message of a refusal, without a traceback."""
        if isinstance(excinfo.value, RefusedProof):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the theorem stands."""
        return self.path, self.theorem.line - 1, self.name
