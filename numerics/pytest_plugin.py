"""pytest collects the theorems of `*_derivation.py` files, one test a theorem.

pytest loads this module in every run of an environment that has proofgrad: nothing heavy is
imported before a file is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A derivation file is a collector of its own; every other file is left alone."""
    if file_path.name.endswith("_derivation.py"):
        return DerivationFile.from_parent(parent, path=file_path)
    return None


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
