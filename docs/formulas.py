"""LaTeX to HTML and MathML when a page is built; a formula that KaTeX refuses stops the build.

`pymdownx.arithmatex` (generic) finds the formulas; this Markdown extension, which runs after it,
replaces them.  mkdocs names the page of an error, the error names the formula.
"""

from __future__ import annotations

import json
import subprocess
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown  # pyright: ignore[reportMissingModuleSource]
from markdown.treeprocessors import Treeprocessor  # pyright: ignore[reportMissingModuleSource]

from docs.node import install_packages, node
from docs.sources import ROOT, digest

CACHE = ROOT / "build" / "cache"


class BadFormula(Exception):
    """KaTeX's complaint and the formula that it is about."""


class Renderer:
    """One Node process for all formulas, started when the first is not in the cache."""

    def __init__(self, cache: Path = CACHE) -> None:
        here = Path(__file__)
        lock = here.with_name("package-lock.json")
        key = digest([here, lock, here.with_name("katex.mjs")])
        self.file = cache / f"formulas-{key}.json"
        stored = self.file.read_text(encoding="utf-8") if self.file.is_file() else "{}"
        self.known: dict[str, str] = json.loads(stored)
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, tex: str, display: bool) -> str:
        """The HTML of a formula.  Raises BadFormula."""
        key = ("d" if display else "i") + tex
        if key not in self.known:
            self.known[key] = self._asked(tex, display)
        return self.known[key]

    def _asked(self, tex: str, display: bool) -> str:
        if self.process is None:
            command = [node(), str(Path(__file__).with_name("katex.mjs")), str(install_packages())]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
            )
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise BadFormula(f"KaTeX refuses the formula {tex!r}: {answer['error']}")
        return answer["html"]

    def save(self) -> None:
        """Keep what was rendered for the next build."""
        if self.process is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(self.known, ensure_ascii=False), encoding="utf-8")


_renderer: list[Renderer] = []


def renderer() -> Renderer:
    """The renderer of this process."""
    if not _renderer:
        import atexit

        _renderer.append(Renderer())
        atexit.register(_renderer[0].save)
    return _renderer[0]


class _Formulas(Treeprocessor):
    def run(self, root: Element) -> None:
        for element in root.iter():
            if "arithmatex" in (element.get("class") or "").split():
                self._replace(element)

    def _replace(self, element: Element) -> None:
        written = unescape(str(element.text or "")).strip()
        tex, display = written[2:-2].strip(), written.startswith(r"\[")
        html = renderer()(tex, display)
        element.set("class", "formula display" if display else "formula")
        element.set("data-search-exclude", "")
        if display:  # a wide one scrolls, also with the keyboard
            element.set("tabindex", "0")
            element.set("role", "group")
            element.set("aria-label", "formula")
        element.text = self.md.htmlStash.store(html)


class _Extension(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.treeprocessors.register(_Formulas(md), "formulas", -5)


def makeExtension(**config: Any) -> Extension:
    """The extension's entry point, as Python-Markdown calls it."""
    return _Extension(**config)
