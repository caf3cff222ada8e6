"""The build itself: a broken formula, a dangling link and a broken proof are seen; the same input
gives the same bytes.  A copy of the project with a few theorems is built for it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
KEPT = {"__init__", "logarithm_bound_of_a_ratio", "square_is_zero_only_at_zero"}
KEPT |= {"zero_sum_has_zero_terms"}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with three theorems, and the caches of the real one."""
    to = tmp_path_factory.mktemp("project")
    junk = shutil.ignore_patterns("__pycache__", "theorems")
    for name in ("derivations", "numerics", "docs"):
        shutil.copytree(ROOT / name, to / name, ignore=junk)
    source, theorems = ROOT / "derivations" / "theorems", to / "derivations" / "theorems"
    (theorems / "foundations").mkdir(parents=True)
    shutil.copy(source / "__init__.py", theorems)
    for path in (source / "foundations").glob("*.py"):
        if path.stem in KEPT:
            shutil.copy(path, theorems / "foundations")
    home = to / "docs" / "pages" / "home.py"  # the copy has no chapter on estimators
    text = home.read_text().replace("theorems/divergence_estimators/index.md", "theorems/index.md")
    home.write_text(text)
    (to / "docs" / "addresses.txt").write_text("map.md\n")
    shutil.copytree(ROOT / "build", to / "build", ignore=shutil.ignore_patterns("site"))
    return to


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "SOURCE_DATE_EPOCH": "1700000000"}
    return subprocess.run(
        [sys.executable, "-m", "docs.build"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def digests(folder: Path) -> dict[str, str]:
    files = sorted(p for p in (folder / "site").rglob("*") if p.is_file())
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_the_same_input_gives_the_same_bytes(copy: Path) -> None:
    done = build(copy)
    assert done.returncode == 0, done.stderr
    first = digests(copy)
    shutil.rmtree(copy / "site")
    assert build(copy).returncode == 0
    assert digests(copy) == first
    assert len(first) > 50


def test_nothing_changed_is_not_built_again(copy: Path) -> None:
    done = build(copy)
    assert "unchanged, every certificate replayed again" in done.stderr


def test_a_broken_line_turns_page_map_and_home_red(copy: Path) -> None:
    file = copy / "derivations/theorems/foundations/square_is_zero_only_at_zero.py"
    text = file.read_text()
    reason = "by(half(x), half(-x), small)"
    assert reason in text
    file.write_text(text.replace(reason, "by()"))
    try:
        done = build(copy)
        assert done.returncode == 0, done.stderr
        page = copy / "site/theorems/foundations/square_is_zero_only_at_zero/index.html"
        assert 'class="status refused">refused' in page.read_text()
        assert "of 3 theorems proved" in (copy / "site/index.html").read_text()
        assert "3 of 3 theorems proved" not in (copy / "site/index.html").read_text()
        assert "refused" in (copy / "site/map/index.html").read_text()
    finally:
        file.write_text(text)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("$\\frac{1}{2$", ("guides/check-your-loss.md", "\\frac{1}{2")),
        ("$$\n\\nosuchcommand x\n$$", ("guides/check-your-loss.md", "\\nosuchcommand")),
        ("[x](nowhere.md)", ("guides/check-your-loss.md", "nowhere.md")),
        ("[x](write-a-derivation.md#nowhere)", ("guides/check-your-loss.md", "#nowhere")),
    ],
)
def test_a_broken_formula_or_link_stops_the_build(
    copy: Path, line: str, named: tuple[str, str]
) -> None:
    guide = copy / "docs/guides/check-your-loss.md"
    text = guide.read_text()
    guide.write_text(f"{text}\n{line}\n")
    try:
        done = build(copy)
    finally:
        guide.write_text(text)
    assert done.returncode != 0
    assert all(name in done.stderr for name in named), done.stderr[-2000:]


def test_a_released_address_that_is_gone_stops_the_build_until_it_redirects(copy: Path) -> None:
    (copy / "docs" / "addresses.txt").write_text("map.md\ntheorems/foundations/gone.md\n")
    moved = copy / "docs" / "moved.txt"
    before = moved.read_text()
    try:
        done = build(copy)
        assert done.returncode != 0 and "theorems/foundations/gone.md: no page" in done.stderr
        moved.write_text("theorems/foundations/gone.md map.md\n")
        shutil.rmtree(copy / "site")
        assert build(copy).returncode == 0
        page = copy / "site" / "theorems" / "foundations" / "gone" / "index.html"
        assert 'content="0; url=../../../map/"' in page.read_text()
    finally:
        moved.write_text(before)
