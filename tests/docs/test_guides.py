"""Every block of the guides is run, in order: files are written, commands end with the status that
the guide gives, and print every line that it shows.  A block of another kind fails."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
BLOCK = re.compile(r"^```(?: \{ \.)?(\w+)([^\n}]*)(?:\})?\n(.*?)^```", re.M | re.S)
PROGRAMS = {
    "proofgrad": [sys.executable, "-c", "from numerics.cli import main; main()"],
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
}


def play(text: str, folder: Path) -> int:
    """Run a guide's blocks; how many commands were run."""
    said, run = "", 0
    for kind, head, body in BLOCK.findall(text):
        words = dict(w.split("=", 1) for w in shlex.split(head))
        if kind == "diff":
            source = (folder / words["from"]).read_text()
            old, new = (side(body, sign) for sign in "-+")
            assert source.count(old) == 1, f"{old!r} is not in {words['from']}"
            (folder / words["title"]).write_text(source.replace(old, new))
        elif kind in ("python", "toml"):
            (folder / words["title"]).write_text(body)
        elif kind == "sh":
            said, commands = "", body.strip().splitlines()
            for i, command in enumerate(commands):
                status, out = shell(command, folder)
                expected = int(words.get("exit", 0)) if i == len(commands) - 1 else 0
                assert status == expected, f"{command} ended with {status}:\n{out}"
                said, run = said + out, run + 1
        elif kind == "text":
            missing = [line for line in body.splitlines() if flat(line) not in flat(said)]
            assert not missing, f"not printed: {missing}\n{said}"
        else:
            raise AssertionError(f"a block that nothing runs: {kind}")
    return run


def side(diff: str, sign: str) -> str:
    return "\n".join(line[1:] for line in diff.splitlines() if line[0] == sign)


def shell(command: str, folder: Path) -> tuple[int, str]:
    program, *rest = shlex.split(command)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*PROGRAMS[program], *rest],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("guide", GUIDES, ids=lambda p: p.stem)
def test_every_block_of_a_guide_runs(guide: Path, tmp_path: Path) -> None:
    assert play(guide.read_text(encoding="utf-8"), tmp_path) >= 3


def test_a_guide_that_promises_too_much_is_seen(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "guides" / "write-a-derivation.md").read_text(encoding="utf-8")
    first = text.partition("## 3.")[0]
    with pytest.raises(AssertionError, match="not printed"):
        play(first.replace("1 of 1 proved", "2 of 2 proved"), tmp_path)
    with pytest.raises(AssertionError, match="ended with 0"):
        play(first.replace("```sh", '``` { .sh exit="1" }'), tmp_path)


def test_a_block_that_nothing_runs_is_seen(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="nothing runs: console"):
        play("```console\n$ proofgrad\n```\n", tmp_path)
