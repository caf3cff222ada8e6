"""The command line in this process, and files of theorems to run it on."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

Run = Callable[..., Result]
Derive = Callable[[str], str]


@pytest.fixture
def proofgrad() -> Run:
    """proofgrad("prove", ...): the result with exit_code, stdout and stderr."""
    from numerics.cli import app

    return lambda *args: CliRunner().invoke(app, [str(x) for x in args])


@pytest.fixture
def derive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Derive:
    """Write a *_derivation.py in an empty current folder and return its name."""
    monkeypatch.chdir(tmp_path)
    number = itertools.count()

    def written(text: str) -> str:
        path = tmp_path / f"file{next(number)}_derivation.py"
        path.write_text(text)
        return path.name

    return written
