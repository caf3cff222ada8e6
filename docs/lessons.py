"""The lessons' numbers and claims, the terminal example, flat regions: computed, then cached."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docs.collect import Cache
from docs.sources import ROOT, closure, digest, files_of, folder

GUIDES = Path(__file__).parent / "guides"
EXAMPLE = ("proofgrad", "descend", "my_losses.py:my_penalty", "--length", "1")


def numbers(cache: Cache) -> list[dict[str, Any]]:
    """Every number of the lessons, recomputed."""
    from numerics.lessons.numbers import all_numbers

    return _cached(cache, "lesson-numbers", lambda: [asdict(n) for n in all_numbers()])


def claims(cache: Cache) -> list[dict[str, Any]]:
    """Every claim with its computed example.  What is proved, the page looks up by itself."""
    from numerics.lessons.claims import all_claims

    def compute() -> list[dict[str, Any]]:
        found = all_claims(is_proved=lambda _: False)
        return [{**asdict(c), "values": dict(c.values)} for c in found]

    return _cached(cache, "claims", compute)


def figures(cache: Cache) -> dict[str, str]:
    """What each figure draws and is compared with."""
    from docs.figures import figure_files

    return _cached(cache, "figures", figure_files)


def _cached(cache: Cache, name: str, compute: Callable[[], Any]) -> Any:
    """By the text of the lessons, all that they import, and the version of torch."""
    files = [*folder("numerics.lessons")]
    own = Path(__file__).with_name("figures.py")
    modules = [".".join(p.relative_to(ROOT).with_suffix("").parts) for p in files]
    files += files_of(set().union(*map(closure, modules)))
    key = f"{name}-" + digest(sorted({*files, own}), version("torch"))
    found = cache.get(key)
    if found is None:
        cache.put(key, found := compute())
    return found


def example(cache: Cache) -> str:
    """What a terminal shows when the guide's second loss is asked what it follows."""
    guide = GUIDES / "check-your-loss.md"
    files = [guide, *files_of(closure("numerics.cli") | closure("numerics.check"))]
    key = "example-" + digest(sorted(files), version("torch"))
    found = cache.get(key)
    if found is None:
        cache.put(key, found := f"$ {' '.join(EXAMPLE)}\n{_run(guide)}")
    return found


def _run(guide: Path) -> str:
    with tempfile.TemporaryDirectory() as place:
        code = python_blocks(guide.read_text(encoding="utf-8"))["my_losses.py"]
        Path(place, "my_losses.py").write_text(code, encoding="utf-8")
        command = [sys.executable, "-c", "from numerics.cli import main; main()", *EXAMPLE[1:]]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode != 1:  # the claim in the guide is false, and descend says so
        raise SystemExit(f"the home page's example ended with {done.returncode}: {done.stderr}")
    return done.stdout


def python_blocks(text: str) -> dict[str, str]:
    """The titled Python blocks of a guide, by file name."""
    found = re.findall(r'^```python title="([^"]+)"\n(.*?)^```', text, re.M | re.S)
    return dict(found)
