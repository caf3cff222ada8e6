"""After mkdocs: redirects from old addresses, a look at every link in raw HTML, nothing undated."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docs.addresses import MOVED, moves
from docs.markup import attribute
from docs.site import Site, address_of, href

CODE = re.compile(r"<(code|pre|script|annotation)\b.*?</\1>", re.S)
RAW = re.compile(r"\$\$|\\\(|\\\[")
REFERENCE = re.compile(r'\s(?:href|src)="([^"]*)"')


def finish(out: Path, site: Site) -> None:
    """Redirects, then the check of what mkdocs does not check."""
    redirect(out, moves(MOVED.read_text(encoding="utf-8")))
    broken = [*dangling(out)]
    if broken:
        raise SystemExit("links that lead nowhere:\n  " + "\n  ".join(broken))
    raw = [*unrendered(out)]
    if raw:
        raise SystemExit("formulas that were not rendered:\n  " + "\n  ".join(raw))
    for packed in out.rglob("sitemap.xml.gz"):  # gzip writes the time of day
        plain = gzip.decompress(packed.read_bytes())
        packed.write_bytes(gzip.compress(plain, mtime=site.release.epoch))


def unrendered(out: Path) -> Iterator[str]:
    """LaTeX that stands in a page as text: Markdown did not see it as a formula."""
    for page in sorted(out.rglob("*.html")):
        text = CODE.sub("", page.read_text(encoding="utf-8"))
        found = RAW.search(text)
        if found:
            around = " ".join(text[found.start() : found.start() + 80].split())
            yield f"{page.relative_to(out)}: {around}"


def redirect(out: Path, moved: Mapping[str, str]) -> None:
    """A page at each old address that leads to the new one."""
    for old, new in moved.items():
        target = attribute(href(old, new))
        page = out / address_of(old) / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title>'
            f'<meta http-equiv="refresh" content="0; url={target}">'
            f'<link rel="canonical" href="{target}"><p><a href="{target}">Moved here</a>.</p>',
            encoding="utf-8",
        )


def dangling(out: Path) -> Iterator[str]:
    """References of built pages to files of this site that are not there, or to other hosts'
    scripts, styles and images."""
    for page in sorted(out.rglob("*.html")):
        if page.name == "404.html":
            continue
        for found in set(REFERENCE.findall(page.read_text(encoding="utf-8"))):
            url = urlsplit(unescape(found))
            if url.scheme or url.netloc or not url.path:
                continue
            place = (page.parent / unquote(url.path)).resolve()
            place = place / "index.html" if place.is_dir() else place
            if not place.is_file():
                yield f"{page.relative_to(out)}: {found}"
