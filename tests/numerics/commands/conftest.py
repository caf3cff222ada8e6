"""A folder with a user's file in it, and the commands run on it as the CLI would run them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numerics.commands import check, descend

HEADER = "import torch\nfrom numerics import objective\n\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a file of losses and return its name, in the current folder."""
    monkeypatch.chdir(tmp_path)
    counter = iter(range(100))

    def written(text: str) -> str:
        name = f"losses_{abs(hash(str(tmp_path)))}_{next(counter)}.py"
        Path(name).write_text(HEADER + text)
        return name

    return written


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """(exit status, stdout, stderr) of a command."""

    def called(name: str, target: str, **flags: Any) -> tuple[int, str, str]:
        status = {"check": check.run, "descend": descend.run}[name](target, **flags)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return called
