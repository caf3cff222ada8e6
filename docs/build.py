"""Build the site: `python -m docs.build [--serve]`, which is `make site` and `make serve`.

    records -> Markdown in build/site/pages -> mkdocs, strictly -> site/

A second build with nothing changed replays every certificate, writes the same Markdown, sees that
it is the same, and leaves site/ as it is.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from docs.addresses import require_permanent
from docs.collect import Cache, records
from docs.finish import finish
from docs.node import install_packages
from docs.pages.cite import signed
from docs.release import release
from docs.site import Site
from docs.sources import ROOT, digest
from docs.write import navigation, pages

HERE = Path(__file__).parent
WORK = ROOT / "build" / "site"
OUT = ROOT / "site"
TOOLS = ("mkdocs", "mkdocs-material", "mkdocstrings", "mkdocstrings-python", "Markdown")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Build the site.")
    parser.add_argument("--serve", action="store_true", help="serve it on 127.0.0.1:8000")
    chosen = parser.parse_args()
    start = time.perf_counter()
    built = build()
    said = "built" if built else "unchanged, every certificate replayed again"
    print(f"site/ {said}; {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if chosen.serve:
        serve()


def build() -> bool:
    """Write everything; whether mkdocs had to run.  A broken page ends the program."""
    cache = Cache(ROOT / "build" / "cache")
    site = Site(tuple(records(cache)), release(), laws())
    source = WORK / "pages"
    written = {path: signed(path, text, site) for path, text in pages(site, cache).items()}
    require_permanent(written)
    _write(source, written)
    copy_assets(source / "assets")
    configuration = json.dumps(config(navigation(site)), indent=1)
    (WORK / "mkdocs.yml").write_text(configuration + "\n", encoding="utf-8")
    want = fingerprint(source, configuration)
    stamp = WORK / "stamp"
    if OUT.is_dir() and stamp.is_file() and stamp.read_text() == want:
        return False
    stamp.unlink(missing_ok=True)
    run_mkdocs(site.release.epoch)
    finish(OUT, site)
    stamp.write_text(want)
    return True


def laws() -> dict[str, str]:
    """The names under which proofs cite axioms."""
    from derivations.language.reasons import Law

    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("derivations."):
            found |= {x.name: x.axiom for x in vars(module).values() if isinstance(x, Law)}
    return found


def _write(folder: Path, written: Mapping[str, str]) -> None:
    """The pages, and nothing that an earlier build left behind."""
    for path in [p for p in folder.rglob("*") if p.is_file()] if folder.is_dir() else []:
        if path.relative_to(folder).as_posix() not in written:
            path.unlink()
    for name, text in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def copy_assets(folder: Path) -> None:
    """Our own scripts and styles; KaTeX's style and fonts; d3's modules as one script."""
    shutil.copytree(HERE / "assets", folder, dirs_exist_ok=True)
    packages = install_packages() / "node_modules"
    katex = folder / "katex"
    (katex / "fonts").mkdir(parents=True, exist_ok=True)
    shutil.copy(packages / "katex" / "dist" / "katex.min.css", katex)
    for font in sorted((packages / "katex" / "dist" / "fonts").glob("*.woff2")):
        shutil.copy(font, katex / "fonts")
    scripts = [packages / name / "dist" / f"{name}.min.js" for name in D3]
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    (folder / "d3.js").write_text(text, encoding="utf-8")


D3 = ("d3-array", "d3-color", "d3-interpolate", "d3-format", "d3-time", "d3-time-format")
D3 += ("d3-scale", "d3-path", "d3-shape", "d3-axis", "d3-dispatch", "d3-selection", "d3-drag")


def config(nav: list[object]) -> dict[str, object]:
    """What depends on the pages; the rest is inherited from docs/mkdocs.yml."""
    address = os.environ.get("SITE_URL", "http://127.0.0.1:8000/")
    return {
        "INHERIT": os.path.relpath(HERE / "mkdocs.yml", WORK),
        "site_url": address,
        "docs_dir": "pages",
        "site_dir": os.path.relpath(OUT, WORK),
        "nav": nav,
    }


def fingerprint(source: Path, configuration: str) -> str:
    """Everything that mkdocs reads: pages, assets, configuration, API sources, its own version."""
    files = [p for p in sorted(source.rglob("*")) if p.is_file()]
    names = [p.relative_to(source).as_posix() for p in files]
    packages = ("derivations", "numerics", "docs")
    own = [p for package in packages for p in sorted((ROOT / package).rglob("*.py"))]
    tools = [version(name) for name in TOOLS]
    return digest([*files, HERE / "mkdocs.yml", *own], configuration, *names, *tools)


def run_mkdocs(epoch: int) -> None:
    """A strict build: a warning is an error.  (mkdocs --quiet would not count warnings.)"""
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(epoch),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PYTHONHASHSEED": "0",
        "NO_MKDOCS_2_WARNING": "1",
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(WORK / "mkdocs.yml")]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        told = done.stderr.splitlines()
        wrong = [line for line in told if not line.startswith("INFO")]
        raise SystemExit("mkdocs refuses the site:\n" + "\n".join(wrong))


def serve() -> None:
    """What was built, on this machine only."""
    command = [sys.executable, "-m", "http.server", "8000", "--bind", "127.0.0.1"]
    print("http://127.0.0.1:8000/", file=sys.stderr)
    subprocess.run([*command, "--directory", str(OUT)], check=False)


if __name__ == "__main__":
    main()
