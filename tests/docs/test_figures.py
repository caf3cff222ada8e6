"""Every figure in a real browser: its read-out against Python's values; mouse, touch, arrow keys,
sliders, presets; one figure after instant navigation back and forth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

SITE = Path(__file__).parents[2] / "site"
NAMES = ["surrogate", "clip", "tree", "tilted", "group", "penalty"]
WITH_HANDLES = [name for name in NAMES if name != "tree"]
WITH_SLIDERS = ["surrogate", "clip", "tree", "tilted"]
Visit = Callable[..., Any]


def opened(visit: Visit, name: str, **how: Any) -> Any:
    page = visit(f"figures/{name}/", **how)
    page.locator("[data-done]").wait_for(timeout=10_000)
    return page


def told(page: Any) -> str:
    return page.inner_text(".values")


@pytest.mark.parametrize("name", NAMES)
def test_the_read_out_is_what_python_computes(visit: Visit, name: str) -> None:
    page = opened(visit, name)
    checks = json.loads((SITE / "assets" / "figures" / f"{name}.json").read_text())["checks"]
    assert checks
    for check in checks:
        state = json.dumps(check["state"])
        page.evaluate(f"proofgrad.live['{name}'].set({state})")
        shown = page.evaluate(f"proofgrad.live['{name}'].values()")
        text = told(page)
        for key, expected in check["values"].items():
            assert shown[key] == pytest.approx(expected, rel=1e-9, abs=1e-9), (key, state)
            for x in expected if isinstance(expected, list) else [expected]:
                assert written(x) in text, (key, x, text)


def written(x: float) -> str:
    said = f"{x:.4f}"
    return "0.0000" if said == "-0.0000" else said


@pytest.mark.parametrize("name", WITH_HANDLES)
@pytest.mark.parametrize("way", ["mouse", "touch", "keys"])
def test_a_point_is_moved(visit: Visit, name: str, way: str) -> None:
    page = opened(visit, name, touch=way == "touch")
    handles = page.locator(".handle")
    handle = handles.nth(min(1, handles.count() - 1))  # not the reward that is already lowest
    handle.scroll_into_view_if_needed()
    box, before = handle.bounding_box(), told(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if way == "keys":
        handle.focus()
        page.keyboard.press("ArrowLeft")
    elif way == "mouse":
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 45, y + 30, steps=4)
        page.mouse.up()
    else:
        touch(page, x, y)
    assert told(page) != before


def touch(page: Any, x: float, y: float) -> None:
    session = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 25, "y": y + 15}]),
        ("touchMove", [{"x": x + 45, "y": y + 30}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("name", WITH_SLIDERS)
def test_every_slider_changes_the_read_out(visit: Visit, name: str) -> None:
    page = opened(visit, name)
    sliders = page.locator("input[type=range]")
    for i in range(sliders.count()):
        before = told(page)
        sliders.nth(i).focus()
        page.keyboard.press("End")
        assert told(page) != before


def test_presets_and_choices(visit: Visit) -> None:
    page = opened(visit, "group")
    page.get_by_text("One of four").click()
    assert "1.0000, -0.3333, -0.3333, -0.3333" in told(page)
    page.get_by_text("All equal").click()
    assert told(page).count("0.0000, 0.0000, 0.0000, 0.0000") == 3
    page = opened(visit, "clip")
    page.get_by_text("Switch the sign of A").click()
    assert "-1.0000" in told(page)
    page = opened(visit, "penalty")
    page.select_option("select >> nth=0", "k1")
    assert "0.0000, 0.0000, 0.0000" in told(page)


@pytest.mark.parametrize("name", NAMES)
def test_instant_navigation_leaves_one_figure(visit: Visit, name: str) -> None:
    page = visit("figures/")
    page.evaluate("window.sameVisit = true")
    for _ in range(2):
        page.locator(f"article a[href*='{name}']").click()
        page.locator("[data-done]").wait_for(timeout=10_000)
        page.go_back()
        page.locator("article h1", has_text="Figures").wait_for(timeout=10_000)
    page.locator(f"article a[href*='{name}']").click()
    page.locator("[data-done]").wait_for(timeout=10_000)
    assert page.evaluate("window.sameVisit === true"), "the pages were loaded anew"
    assert page.locator("[data-figure]").count() == 1
    assert page.locator(".values table").count() == 1


@pytest.mark.parametrize("name", NAMES)
def test_figures_fit_a_phone_in_the_dark(visit: Visit, name: str) -> None:
    page = opened(visit, name, width=390, dark=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".figure-box svg").first.bounding_box()["width"] <= 390
