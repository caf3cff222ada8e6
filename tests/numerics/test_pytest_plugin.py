"""The pytest plugin: one test a theorem of a *_derivation.py file, its refusal as the message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.numerics.derivation_files import FALSE, FALSE_LINE, RIGHT, UNUSABLE

ROOT = Path(__file__).parent.parent.parent


def pytest_on(folder: Path, *args: str) -> tuple[int, str]:
    """pytest in a new process, as a user runs it; the plugin is the installed one."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, *args], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One run on a right file, a false one, one that raises, and one of another name."""
    folder = tmp_path_factory.mktemp("derivations")
    (folder / "right_derivation.py").write_text(RIGHT)
    (folder / "false_derivation.py").write_text(FALSE)
    (folder / "circle_derivation.py").write_text(UNUSABLE["circle"][0])
    (folder / "notes.py").write_text("1 / 0")
    status, text = pytest_on(folder, "-v")
    assert status == 1
    return text


def test_each_theorem_is_a_test(outcome: str) -> None:
    assert "right_derivation.py::twice_is_two PASSED" in outcome
    assert "right_derivation.py::four_times_is_four PASSED" in outcome


def test_a_refused_theorem_fails_with_its_message(outcome: str) -> None:
    assert "false_derivation.py::twice_is_two FAILED" in outcome
    assert "twice_is_two: step 2 is refused" in outcome and f"line {FALSE_LINE})" in outcome
    assert "left over:      1" in outcome
    assert "Traceback" not in outcome


def test_a_circle_fails_both_theorems(outcome: str) -> None:
    assert outcome.count("circular citation: circle_derivation.") >= 2


def test_other_files_are_left_alone(outcome: str) -> None:
    assert "notes.py" not in outcome


def test_a_file_that_cannot_be_used_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "raises_derivation.py").write_text(UNUSABLE["raises"][0])
    status, text = pytest_on(tmp_path)
    assert status == 2
    assert "line 2: importing it raised ZeroDivisionError" in text and "Traceback" not in text


def test_the_plugin_costs_a_run_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_light.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    assert 'numerics.pytest_plugin' in sys.modules\n"
        "    assert not {'sympy', 'torch', 'typer'} & set(sys.modules)\n"
    )
    assert pytest_on(tmp_path)[0] == 0
