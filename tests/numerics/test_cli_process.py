"""The command as a process: what it imports, closed pipes, interrupts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.numerics.derivation_files import HEADER
from tests.numerics.test_cli import MAIN


def test_help_imports_nothing_heavy() -> None:
    code = "import atexit, sys; from numerics.cli import main\n"
    code += "heavy = {'sympy', 'torch', 'numpy', 'rich', 'derivations.kernel'}\n"
    code += "atexit.register(lambda: print('heavy:', heavy & set(sys.modules)))\n"
    code += "sys.argv = ['proofgrad', '--help']; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: proofgrad" in done.stdout
    for command in ("prove", "show", "list", "graph", "replay", "check", "descend"):
        assert command in done.stdout
    assert done.stdout.endswith("heavy: set()\n")


@pytest.mark.parametrize(
    ("set_before", "found"), [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE")]
)
def test_waiting_threads_sleep_unless_told_otherwise(
    set_before: dict[str, str], found: str
) -> None:
    code = "import os, numerics.cli as cli\n"
    code += "cli.app = lambda: print(os.environ['OMP_WAIT_POLICY']); cli.main()"
    rest = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run(
        [sys.executable, "-c", code], env={**rest, **set_before}, stdout=subprocess.PIPE, check=True
    )
    assert done.stdout.decode().strip() == found


@pytest.mark.parametrize(
    "args",
    [
        ["list"],
        ["show", "square_is_zero_only_at_zero"],
        ["prove", "square_is_zero_only_at_zero", "--no-crosscheck"],
        ["prove", "square_is_zero_only_at_zero", "--no-crosscheck", "--json"],
    ],
    ids=" ".join,
)
def test_a_closed_pipe_ends_quietly(args: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*MAIN, *args], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


# A shell starts background jobs, and all below them, deaf to interrupts.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_quietly(jobs: str, tmp_path: Path) -> None:
    slow = HEADER + "".join(
        f"""

@theorem(says=lambda: {{"total": Equal(Sum(p(a), a), 1)}}, given=[total])
def slow{i}():
    open("started{i}", "w").close()
    __import__("time").sleep(60)
"""
        for i in range(2)
    )
    (tmp_path / "slow_derivation.py").write_text(slow)
    hearing = [*MAIN[:-1], HEARING + MAIN[-1]]
    command = [*hearing, "prove", "slow_derivation.py", "-j", jobs, "--no-crosscheck"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    env = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    process = subprocess.Popen(command, cwd=tmp_path, env=env, start_new_session=True, **pipes)
    last = tmp_path / f"started{int(jobs) - 1}"
    deadline = time.monotonic() + 30
    while not last.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, "", "")


def test_importing_the_package_and_the_commands_imports_no_torch() -> None:
    code = (
        "import sys, numerics, numerics.objective\n"
        "import numerics.commands.check, numerics.commands.descend\n"
        "assert 'torch' not in sys.modules\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
