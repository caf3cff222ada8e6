"""The built site in a real browser: quiet, local, readable, accessible, and found by its search."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
THEOREM = "theorems/foundations/relative_entropy_is_nonnegative/"
LONG = "theorems/decision_processes/performance_difference/"
TYPES = ["", "map/", "theorems/", "theorems/foundations/", THEOREM, LONG, "rules/"]
TYPES += ["objectives/", "objectives/ppo_clip/", "guides/check-your-loss/", "claims/", "numbers/"]
TYPES += ["command-line/", "api/derivations/", "cite/", "figures/", "figures/tilted/"]
TYPES += ["exercises/", "exercises/1-clip-objective/", "guides/write-a-derivation/"]
TYPES += [f"api/{name}/" for name in ("language", "kernel", "numerics", "objectives", "lessons")]
AXE = ROOT / "build" / "node" / "node_modules" / "axe-core" / "axe.min.js"
LIMIT = 400_000  # bytes, gzipped
Visit = Callable[..., Any]


@pytest.mark.parametrize("path", TYPES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_page_type_violates_a_rule_of_axe(visit: Visit, path: str, dark: bool) -> None:
    page = visit(path, dark=dark)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    options = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']}"
    found = page.evaluate(f"axe.run(document.querySelector('article'), {options})")
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]] == []
    assert found["passes"]


def test_axe_would_see_a_violation(visit: Visit) -> None:
    page = visit("")
    page.evaluate(
        "document.querySelector('article').innerHTML += '<img src=\"assets/images/favicon.png\">'"
    )
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document.querySelector('article'))")
    assert "image-alt" in [v["id"] for v in found["violations"]]
    page.close()


@pytest.mark.parametrize("path", TYPES)
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(visit: Visit, path: str, width: int) -> None:
    page = visit(path, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.querySelector('article').scrollWidth") <= width


def test_dark_mode_is_dark(visit: Visit) -> None:
    shade = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    dark, light = visit("", dark=True).evaluate(shade), visit("").evaluate(shade)
    assert max(dark) < 60 < 200 < min(light)


@pytest.mark.parametrize("path", ["", THEOREM, "map/"])
def test_pages_can_be_read_without_scripts(visit: Visit, path: str) -> None:
    page = visit(path, scripts=False)
    text = page.inner_text("article")
    assert "proved" in text or path == "map/"
    if path == THEOREM:
        assert page.locator("article .katex math").count() > 3
    if path == "map/":
        page.locator("a.node", has_text="Performance difference").click()
        assert page.url.endswith("performance_difference/")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("performance_difference", "Performance difference"),
        ("performance difference", "Performance difference"),
        ("baseline", "A baseline adds no bias"),
    ],
)
def test_search_finds_a_theorem_by_name_and_by_word(
    visit: Visit, words: str, expected: str
) -> None:
    page = visit("")
    page.locator(".md-search__input").fill(words)
    first = page.locator(".md-search-result__item", has_text=expected).first
    first.wait_for(timeout=10_000)
    assert expected in first.inner_text()


def test_the_map_tells_statements_and_filters(visit: Visit) -> None:
    page = visit("map/")
    node = page.locator("a.node", has_text="Performance difference")
    node.hover()
    assert "Σ" in page.inner_text("#map-said")
    assert page.locator("path.on").count() > 0
    page.select_option("#map-axiom", "limit_keeps_order")
    assert "dim" not in str(node.get_attribute("class"))
    assert 0 < page.locator("a.node.dim").count() < page.locator("a.node").count()


def test_the_status_on_every_page_is_the_same_count(visit: Visit) -> None:
    said = visit("").inner_text(".count .status")
    page = visit("map/")
    nodes = page.locator("a.node").count()
    proved = nodes - page.locator("a.node.refused, a.node.gap").count()
    assert f"{proved} of {nodes} theorems proved" in said


@pytest.mark.parametrize("path", TYPES)
def test_a_page_is_light(browser: Any, address: str, path: str) -> None:
    """HTML, styles, scripts and fonts that a first visit asks for, gzipped, search index aside."""
    context = browser.new_context()
    page = context.new_page()
    sizes: dict[str, int] = {}

    def add(response: Any) -> None:
        name = urlsplit(response.url).path
        if "search" not in name and not name.endswith("sitemap.xml"):
            body = response.body()
            font = name.endswith((".woff2", ".png"))
            sizes[name] = len(body if font else gzip.compress(body))

    page.on("requestfinished", lambda r: add(r.response()))
    page.goto(address + path, wait_until="networkidle")
    context.close()
    assert 20_000 < sum(sizes.values()) < LIMIT, sizes
