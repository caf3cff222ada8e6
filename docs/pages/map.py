"""The map: which theorem rests on which, read off the replayed certificates.

Nodes are ordinary links over a drawing of the edges, so that it works without a script; the script
adds the statement under the pointer, and a filter by axiom.
"""

from __future__ import annotations

from docs.graph import HEIGHT, WIDTH, Layout, Point
from docs.markup import attribute, page, sentence
from docs.record import Record
from docs.site import Site, href, path_of

HERE = "map.md"
MARGIN = 8


def map_page(site: Site, drawn: Layout) -> str:
    """The whole map, then the same as a list for readers of text."""
    return page(
        "Map",
        "Which theorem rests on which",
        "# Map",
        "Each arrow leads from a lemma to a theorem that cites it, as the replayed certificates "
        "say. Point at a theorem to read its statement; open it for the proof. "
        f"{legend(site)}",
        *the_map(site, drawn, HERE),
        "The same as a list: [all theorems](theorems/index.md).",
        hide=("navigation", "toc"),
    )


def the_map(site: Site, drawn: Layout, here: str) -> tuple[str, str, str]:
    """The choice of an axiom, the drawing, and where a statement is shown, for the page `here`."""
    said = '<p class="map-said" id="map-said" aria-live="polite"></p>'
    return tools(site), drawing(site, drawn, here), said


def legend(site: Site) -> str:
    """The colours of the chapters; red is for what is not proved."""
    marks = [
        f'<span class="chapter c{i}">{sentence(c)}</span>' for i, c in enumerate(site.chapters)
    ]
    broken = [r for r in site.records if r.status != "proved"]
    red = f' <span class="status refused">{len(broken)} not proved</span>' if broken else ""
    return " ".join(marks) + red


def tools(site: Site) -> str:
    """A choice of axiom; hidden until the script that answers it runs."""
    options = "".join(f'<option value="{a}">{sentence(a).lower()}</option>' for a in site.axioms())
    return (
        '<p class="map-tools" hidden><label for="map-axiom">Show what rests on</label> '
        f'<select id="map-axiom"><option value="">any axiom</option>{options}</select></p>'
    )


def drawing(site: Site, drawn: Layout, here: str) -> str:
    """Edges as SVG, nodes as links above them."""
    w, h = drawn.width + 2 * MARGIN, drawn.height + 2 * MARGIN
    chapters = {c: i for i, c in enumerate(site.chapters)}
    paths = "".join(
        f'<path d="{curve(points)}" data-from="{a}" data-to="{b}"/>' for a, b, points in drawn.edges
    )
    nodes = "".join(node(r, drawn.nodes[r.id], chapters[r.chapter], here) for r in site.records)
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs>'
    )
    svg = (
        f'<svg width="{w:.0f}" height="{h:.0f}" viewBox="{-MARGIN} {-MARGIN} {w:.0f} {h:.0f}" '
        f'aria-hidden="true" focusable="false">{arrow}{paths}</svg>'
    )
    size = f"width:{w:.0f}px;height:{h:.0f}px"
    return (
        '<div class="map" role="group" aria-label="map of the theorems" tabindex="0">'
        f'<div class="map-inner" style="{size}">{svg}{nodes}</div></div>'
    )


def node(r: Record, at: Point, chapter: int, here: str) -> str:
    """One theorem."""
    left, top = at[0] - WIDTH / 2 + MARGIN, at[1] - HEIGHT / 2 + MARGIN
    style = f"left:{left:.1f}px;top:{top:.1f}px;width:{WIDTH}px;height:{HEIGHT}px"
    said = "; ".join(s.text for s in r.says)
    state = "" if r.status == "proved" else f'<span class="status {r.status}">{r.status}</span> '
    return (
        f'<a class="node c{chapter} {r.status}" style="{style}" href="{href(here, path_of(r.id))}" '
        f'data-id="{r.id}" data-axioms="{" ".join(r.axioms)}" title="{attribute(said)}">'
        f"<span>{state}{sentence(r.name)}</span></a>"
    )


def curve(points: tuple[Point, ...]) -> str:
    """A Bezier spline as an SVG path; the last point is the arrow's tip."""
    first, *rest = points
    bends, tip = rest[: len(rest) // 3 * 3], rest[len(rest) // 3 * 3 :]
    said = " ".join(f"{x},{y}" for x, y in bends)
    return f"M{first[0]},{first[1]}C{said}" + "".join(f"L{x},{y}" for x, y in tip)
