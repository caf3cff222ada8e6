"""The figure: well-formed, reproducible, flat parts and kinks where the table has them."""

from xml.etree import ElementTree

import pytest

from numerics import objective
from numerics.check.regions import regions
from numerics.check.regions_plot import HEIGHT, LEFT, TOP, WIDTH, figure, window

NAMES = ["ppo_clip", "dual_clip", "cispo", "sapo", "gspo", "gmpo", "reinforce", "trpo_surrogate"]


def loss(logp, logp_old, adv, mask):
    raise AssertionError("a figure needs the specification only")


def drawn(**claims) -> ElementTree.Element:
    return ElementTree.fromstring(figure(regions(objective(loss, **claims))))


def parts(figure: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [part for part in figure.iter() if part.get("class") == kind]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_well_formed_and_stays_inside_the_axes(name: str) -> None:
    found = drawn(like=name)
    assert len(parts(found, "other")) == 3  # one a sign, one in the key
    for curve in parts(found, "curve")[:-1]:
        for point in (curve.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert LEFT <= x <= LEFT + 2.2 * WIDTH
            assert TOP <= y <= TOP + HEIGHT


def test_the_same_specification_gives_the_same_bytes() -> None:
    one, two = (figure(regions(objective(loss, like="dual_clip"))) for _ in range(2))
    assert one == two


def test_flat_parts_and_kinks_of_the_dual_clip() -> None:
    found = drawn(like="dual_clip", dual=3.0)
    assert len(parts(found, "flat")) == 3 + 1  # the last is the key's
    told = [t.text for t in found.iter() if (t.tag.endswith("title"))]
    assert told[1:] == [
        "kink at 1.2: dL/dlogp 6*A/5 | 0",
        "kink at 0.8: dL/dlogp 0 | 4*A/5",
        "kink at 3: dL/dlogp 3*A | 0",
    ]
    left, right = (float(box.get("x") or 0) for box in parts(found, "flat")[1:3])
    assert LEFT + WIDTH < left < right


def test_no_flat_part_and_no_kink_where_there_is_none() -> None:
    found = drawn(like="trpo_surrogate")
    assert len(parts(found, "flat")) == len(parts(found, "kink")) == 1  # the key's


def test_a_name_is_text_and_no_markup() -> None:
    text = figure(regions(objective(lambda logp: None, like="ppo_clip")))
    assert "&lt;lambda&gt;" in text
    ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("bounds", "shown"),
    [([], (0.0, 2.5)), ([0.8, 1.2], (0.4, 1.6)), ([0.0, 0.8, 3.0], (0.0, 5.0))],
)
def test_the_window_shows_every_bound_near_one(bounds, shown) -> None:
    assert window(bounds) == shown
    low, high = window([0.9997, 1.0004, 5e8])
    assert 0.998 < low < 0.9997 < 1.0004 < high < 1.002
