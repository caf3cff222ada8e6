"""Where the nodes and edges of the map stand: Graphviz decides, through pygraphviz."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docs.record import Record

WIDTH, HEIGHT = 168, 52  # of a node, in CSS pixels; Graphviz counts 72 points to the inch
Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """The size of the drawing; each node's centre; each edge as the points of a Bezier curve."""

    width: float
    height: float
    nodes: dict[str, Point]
    edges: tuple[tuple[str, str, tuple[Point, ...]], ...]


def layout(records: Sequence[Record]) -> Layout:
    """Theorems above the lemmas that they cite."""
    import pygraphviz  # pyright: ignore[reportMissingImports]

    known = {r.id for r in records}
    graph: Any = pygraphviz.AGraph(directed=True, strict=True)
    graph.graph_attr.update(rankdir="LR", nodesep="0.12", ranksep="0.5", splines="spline")
    graph.node_attr.update(
        shape="box", fixedsize="true", width=str(WIDTH / 72), height=str(HEIGHT / 72)
    )
    for r in sorted(records, key=lambda r: r.id):
        graph.add_node(r.id)
    for r in sorted(records, key=lambda r: r.id):
        for lemma in sorted(set(r.uses) & known):
            graph.add_edge(lemma, r.id)
    graph.layout(prog="dot")
    left, low, right, high = _numbers(graph.graph_attr["bb"])
    flip = lambda p: (round(p[0] - left, 1), round(high - p[1], 1))  # noqa: E731
    nodes = {str(n): flip(_point(n.attr["pos"])) for n in graph.nodes()}
    edges = [(str(e[0]), str(e[1]), tuple(map(flip, _curve(e.attr["pos"])))) for e in graph.edges()]
    return Layout(right - left, high - low, nodes, tuple(sorted(edges)))


def _numbers(text: str) -> list[float]:
    return [float(x) for x in text.split(",")]


def _point(text: str) -> Point:
    x, y = _numbers(text)
    return x, y


def _curve(text: str) -> list[Point]:
    """The points of an edge; the one behind "e," is where its arrow ends."""
    parts = text.replace("\\\n", "").split()
    end = [_point(p[2:]) for p in parts if p.startswith("e,")]
    return [_point(p) for p in parts if "," in p and p[0] not in "es"] + end
