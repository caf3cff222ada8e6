"""Theorem and objective pages in a real browser: what is folded opens with the keyboard,
and charts take the colours of the theme and stay inside a small screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PINSKER = "theorems/foundations/total_variation_is_bounded_by_relative_entropy/"
TILTED = "theorems/language_models/tilted_reference_is_the_unique_optimum/"
Visit = Callable[..., Any]


def test_a_breaking_model_opens_with_the_keyboard(visit: Visit) -> None:
    page = visit(PINSKER)
    folded = page.locator("#given-2 details.without")
    assert not folded.locator("p").is_visible()
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    text = folded.inner_text()
    assert "every other hypothesis holds" in text
    assert "its left side is" in text


def test_breaking_models_can_be_read_without_scripts(visit: Visit) -> None:
    page = visit(PINSKER, scripts=False)
    page.locator("#given-2 details.without summary").click()
    assert page.locator("#given-2 details.without p").is_visible()


@pytest.mark.parametrize("path", [PINSKER, TILTED])
def test_a_chart_fits_and_follows_the_theme(visit: Visit, path: str) -> None:
    stroke = "getComputedStyle(document.querySelector('.chart .line.k0')).stroke"
    light = visit(path, width=390)
    dark = visit(path, width=390, dark=True)
    assert light.evaluate(stroke) != dark.evaluate(stroke)
    box = light.locator(".chart svg").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert light.locator(".chart figcaption").inner_text()


def test_both_sides_of_every_part_are_in_the_table(visit: Visit) -> None:
    page = visit(PINSKER)
    table = page.locator("article table", has_text="both sides")
    assert table.locator("tbody tr").count() == page.locator(".part").count() == 2
    table.locator("a").first.click()
    assert page.url.endswith("#says-pinsker")


def test_an_objective_page_shows_flat_parts_and_what_it_follows(visit: Visit) -> None:
    page = visit("objectives/ppo_clip/")
    assert page.locator("svg.regions rect.flat").count() == 2
    assert "grad L = -1 grad E[r]" in page.inner_text("article")
    page = visit("objectives/kl_penalty/")
    rows = page.locator("article table", has_text="on-policy").locator("tbody tr")
    assert rows.count() == 9
    assert "grad KL(pi||ref)" in page.inner_text("article")
