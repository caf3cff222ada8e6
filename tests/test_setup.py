"""The set-up: what `scripts/setup` does on machines unlike this one, and what the wheel holds."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINNED = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M)
NEEDED = [*PROJECT["dependencies"]] + [
    line for extra in ("dev", "torch", "docs") for line in PROJECT["optional-dependencies"][extra]
]
PYTHON = shlex.quote(sys.executable)
WITHOUT_TORCH = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "numpy", "scipy", "pytest", "hypothesis"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refuse())
"""


def name_of(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    assert found, requirement
    return found[0]


def installed(name: str) -> str | None:
    """The version without a build's tag (2.13.0+cpu); None for what this platform does not need."""
    try:
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        return None


def source_files() -> list[Path]:
    folders = ("derivations", "numerics", "tests", "docs")
    return [path for folder in folders for path in (ROOT / folder).rglob("*.py")]


# --- dependencies


def test_every_dependency_is_pinned() -> None:
    pinned = {name for name, _ in PINNED}
    assert [line for line in NEEDED if name_of(line) not in pinned] == []


def test_the_pins_are_what_is_installed() -> None:
    assert [pin for pin in PINNED if installed(pin[0]) not in (None, pin[1])] == []


def test_every_dependency_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    bare = re.findall(r'^ +"[\w.-]+(?:>=|==)[^"]*",(?! +# \w).*$', text, re.M)
    assert bare == []


def test_the_version_is_in_one_place() -> None:
    assert version("proofgrad") == PROJECT["version"]
    repeated = re.compile(rf"""["']{re.escape(PROJECT["version"])}["']""")
    assert [path for path in source_files() if repeated.search(path.read_text())] == []


def test_the_formatter_is_never_switched_off() -> None:
    switch = re.compile(r"#\s*(fmt|yapf)\s*:\s*(off|skip)")
    assert [path for path in source_files() if switch.search(path.read_text())] == []


# --- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check"]
    command = [*pip, "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (built,) = folder.glob("proofgrad-*.whl")
    return built


def test_the_wheel_holds_the_two_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"derivations", "numerics", f"proofgrad-{PROJECT['version']}.dist-info"}
    modules = {
        str(path.relative_to(ROOT))
        for package in ("derivations", "numerics")
        for path in (ROOT / package).rglob("*.py")
    }
    assert modules <= set(names)


def test_the_wheel_needs_neither_torch_nor_numpy(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
    required = Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist", [])
    core = {name_of(line) for line in required if "extra ==" not in line}
    assert core == {"sympy", "typer", "rich"}


@pytest.mark.parametrize("module", ["derivations", "numerics.cli", "numerics.pytest_plugin"])
def test_the_wheel_runs_without_torch_and_numpy(wheel: Path, tmp_path: Path, module: str) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = f"""{WITHOUT_TORCH}
sys.path.insert(0, {str(tmp_path)!r})
import {module}
assert {module}.__file__.startswith({str(tmp_path)!r}), {module}.__file__
assert not {{"torch", "numpy"}} & set(sys.modules)
"""
    if module == "numerics.pytest_plugin":
        code = code.replace('"pytest", ', "")  # it is loaded by pytest, so pytest is there
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


@pytest.mark.long
def test_the_wheel_proves_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", wheel], check=True)
    absent = "import importlib.util as u; print([u.find_spec(m) for m in ('torch', 'numpy')])"
    found = subprocess.run([python, "-c", absent], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[None, None]"
    command = [python.with_name("proofgrad"), "prove", "--no-crosscheck"]
    subprocess.run(command, check=True, cwd=tmp_path)


# --- scripts/setup


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A project folder beside a PATH that has the POSIX tools and no Python at all."""
    project, tools = tmp_path / "project", tmp_path / "bin"
    (project / "scripts").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(ROOT / "scripts" / "setup", project / "scripts")
    shutil.copy(ROOT / "constraints.txt", project)
    shutil.copy(ROOT / "pyproject.toml", project)
    for tool in ("sh", "cat", "cksum", "cp", "dirname", "head", "mkdir", "rm", "sed", "tr"):
        (tools / tool).symlink_to(shutil.which(tool) or pytest.skip(f"no {tool}"))
    return project


def setup(machine: Path, *stage: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = str(machine.parent / "bin")
    command = [f"{path}/sh", str(machine / "scripts" / "setup"), *stage]
    return subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": path, **variables},
        timeout=600,
    )


def program(machine: Path, name: str, script: str) -> None:
    file = machine.parent / "bin" / name
    file.write_text(f"#!{shutil.which('sh')}\n{script}\n")
    file.chmod(0o755)


def test_no_python_at_all(machine: Path) -> None:
    done = setup(machine, "core")
    assert done.returncode == 2
    assert "no Python 3.11 or newer" in done.stderr
    assert "PYTHON=" in done.stderr


def test_a_shim_that_does_not_run_and_an_old_python_are_passed_over(machine: Path) -> None:
    program(machine, "python3.14", "echo 'python3.14: command not found' >&2; exit 127")
    program(machine, "python3", "exit 1")  # the answer of an older Python to the version test
    done = setup(machine, "core")
    assert (done.returncode, "no Python 3.11 or newer" in done.stderr) == (2, True)


def test_a_python_that_cannot_make_an_environment(machine: Path) -> None:
    program(machine, "python3", f'case $1 in -m) exit 1 ;; esac; exec {PYTHON} "$@"')
    done = setup(machine, "core")
    assert done.returncode == 2
    assert all(tool in done.stderr for tool in ("python3-venv", "uv", "virtualenv"))
    assert not (machine / ".venv").exists()


@pytest.mark.parametrize("maker", ["uv", "virtualenv"])
def test_uv_and_virtualenv_take_the_place_of_venv(machine: Path, maker: str) -> None:
    """Debian's Python has no ensurepip: its `venv` leaves half an environment behind and fails."""
    program(machine, "python3.14", "exit 127")
    half = 'case "$1 $2" in "-m venv") mkdir -p .venv/bin; exit 1 ;; esac'
    program(machine, "python3", f'{half}; exec {PYTHON} "$@"')
    program(machine, "pretended-python", "exit 0")
    pretended = machine.parent / "bin" / "pretended-python"
    make = f'mkdir -p .venv/bin; cp {pretended} .venv/bin/python; echo "$0 $*" >>made-with'
    program(machine, maker, make)
    done = setup(machine, "core")
    assert done.returncode == 0, done.stderr
    assert f"{maker} " in (machine / "made-with").read_text()
    assert (machine / ".venv" / "stamp-core").exists()


def test_a_python_that_was_asked_for_must_run(machine: Path) -> None:
    done = setup(machine, "core", PYTHON="/no/such/python")
    assert done.returncode == 2
    assert "PYTHON=/no/such/python does not run" in done.stderr


def test_a_half_made_environment_is_removed(machine: Path) -> None:
    (machine / ".venv" / "bin").mkdir(parents=True)
    done = setup(machine, "core")
    assert "removing .venv" in done.stderr
    assert not (machine / ".venv").exists()


def test_an_unknown_stage_is_refused(machine: Path) -> None:
    assert setup(machine).returncode == setup(machine, "all").returncode == 2


@pytest.mark.long
def test_a_fresh_clone_is_set_up_once(tmp_path: Path) -> None:
    """Real pip; every proof is replayed in an environment that has no torch yet."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    variables = {**os.environ, "PYTHON": sys.executable}
    run = ["sh", str(clone / "scripts" / "setup"), "core"]
    first = subprocess.run(run, check=False, env=variables, capture_output=True, text=True)
    assert (first.returncode, "made .venv" in first.stderr) == (0, True), first.stderr
    again = subprocess.run(run, check=False, env=variables, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (0, "")
    prove = [clone / ".venv" / "bin" / "proofgrad", "prove", "--no-crosscheck"]
    subprocess.run(prove, check=True, cwd=tmp_path)
