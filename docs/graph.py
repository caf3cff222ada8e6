"""Where the nodes and edges of the map stand: Graphviz decides, through pygraphviz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docs.record import Record

WIDTH, HEIGHT = 168, 52  # of a node, in CSS pixels; Graphviz counts 72 points to the inch
GAP = 16
Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """The size of the drawing; each node's centre; each edge as the points of a Bezier curve."""

    width: float
    height: float
    nodes: dict[str, Point]
    edges: tuple[tuple[str, str, tuple[Point, ...]], ...]


def layout(records: Sequence[Record]) -> Layout:
    """Lemmas to the left of what cites them: the largest group on top, lone theorems below."""
    known = {r.id for r in records}
    cites = {r.id: sorted(set(r.uses) & known) for r in records}
    groups = components(cites)
    nodes: dict[str, Point] = {}
    edges: list[tuple[str, str, tuple[Point, ...]]] = []
    width = top = 0.0
    for group in (g for g in groups if len(g) > 1):
        part = drawn({i: cites[i] for i in group})
        width = max(width, part.width)
        nodes |= {i: (x, round(y + top, 1)) for i, (x, y) in part.nodes.items()}
        edges += [(a, b, tuple((x, round(y + top, 1)) for x, y in c)) for a, b, c in part.edges]
        top += part.height + GAP
    lone = [i for g in groups if len(g) == 1 for i in g]
    columns = max(1, int((width + GAP) // (WIDTH + GAP)))
    for place, i in enumerate(lone):
        row, column = divmod(place, columns)
        x = column * (WIDTH + GAP) + WIDTH / 2
        nodes[i] = (x, round(top + row * (HEIGHT + GAP) + HEIGHT / 2, 1))
    rows = -(-len(lone) // columns)
    return Layout(max(width, WIDTH), top + rows * (HEIGHT + GAP), nodes, tuple(sorted(edges)))


def components(cites: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Theorems that are connected by citations, the largest group first."""
    group = {i: i for i in cites}

    def root(i: str) -> str:
        while group[i] != i:
            i = group[i]
        return i

    for i, lemmas in cites.items():
        for lemma in lemmas:
            group[root(i)] = root(lemma)
    found: dict[str, list[str]] = {}
    for i in sorted(cites):
        found.setdefault(root(i), []).append(i)
    return sorted(found.values(), key=lambda g: (-len(g), g))


def drawn(cites: Mapping[str, Sequence[str]]) -> Layout:
    """One connected group as Graphviz draws it."""
    import pygraphviz  # pyright: ignore[reportMissingImports]

    graph: Any = pygraphviz.AGraph(directed=True, strict=True)
    graph.graph_attr.update(rankdir="LR", nodesep="0.14", ranksep="0.4", splines="spline")
    size = {"width": str(WIDTH / 72), "height": str(HEIGHT / 72)}
    graph.node_attr.update(shape="box", label="", fixedsize="true", **size)
    graph.add_nodes_from(sorted(cites))
    graph.add_edges_from([(lemma, i) for i in sorted(cites) for lemma in cites[i]])
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
