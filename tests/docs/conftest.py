"""The built site on a local server, and pages of a Chromium that may ask nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.docs.chromium import FLAGS, MISSING, chromium

SITE = Path(__file__).parents[2] / "site"


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing, and serves a sitemap for the port that the test got: Material's instant
    navigation looks pages up there."""

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != "/sitemap.xml":
            return super().do_GET()
        assert isinstance(self.server, ThreadingHTTPServer)
        own = f"127.0.0.1:{self.server.server_port}"
        text = (SITE / "sitemap.xml").read_text().replace("127.0.0.1:8000", own)
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.end_headers()
        self.wfile.write(text.encode())
        return None

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    assert (SITE / "index.html").is_file(), "the site is not built: make site"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # pyright: ignore[reportMissingImports]

    path = chromium()
    if path is None:
        pytest.fail(MISSING)
    with sync_playwright() as p:
        found = p.chromium.launch(executable_path=path, args=[*FLAGS])
        yield found
        found.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """visit("map/", width=390, dark=True): the page.  At the end: no error on the console, and no
    request to another host."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def watch(page: Any) -> None:
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: wrong.append(str(e)))
        page.on("request", lambda r: None if own(r.url) else wrong.append(r.url))
        page.on("response", lambda r: wrong.append(f"{r.status} {r.url}") if r.status > 399 else 0)

    def own(url: str) -> bool:
        return url.startswith((address, "data:", "blob:"))

    def go(
        path: str, width: int = 1280, dark: bool = False, scripts: bool = True, touch: bool = False
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 844},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            has_touch=touch,
        )
        contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(address + path)
        return page

    yield go
    for context in contexts:
        context.close()
    assert wrong == []
