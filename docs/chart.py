"""Lines over two axes as inline SVG: the theme's colours as CSS variables, no date, rounded
coordinates, so that the same numbers give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docs.markup import attribute

WIDTH, HEIGHT = 440, 250
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 10, 40
COUNT = 121  # points of a line


@dataclass(frozen=True)
class Line:
    """One curve: its name in the legend and its points; a nan interrupts it."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]


@dataclass(frozen=True)
class Axis:
    """From low to high, with a name, and numbers where it is marked; decades if logarithmic."""

    name: str
    low: float
    high: float
    marks: Sequence[float]
    logarithmic: bool = False

    def part(self, x: float) -> float:
        """Where on the axis a value lies, from 0 to 1."""
        low, high, at = self.low, self.high, x
        if self.logarithmic:
            low, high, at = math.log(low), math.log(high), math.log(x)
        return (at - low) / (high - low)

    def points(self) -> list[float]:
        """Values spread evenly over the axis."""
        parts = [i / (COUNT - 1) for i in range(COUNT)]
        if self.logarithmic:
            return [self.low * (self.high / self.low) ** p for p in parts]
        return [self.low + p * (self.high - self.low) for p in parts]


def curve(name: str, f: Callable[[float], float], over: Axis) -> Line:
    """A function along an axis."""
    xs = over.points()
    return Line(name, xs, [f(x) for x in xs])


def chart(x: Axis, y: Axis, lines: Sequence[Line], caption: str) -> str:
    """The drawing with its legend and a caption that says what to look at."""
    keys = "".join(
        f'<span class="key k{i}"><i></i>{attribute(line.name)}</span>'
        for i, line in enumerate(lines)
    )
    drawn = "".join(_path(i, line, x, y) for i, line in enumerate(lines))
    names = attribute("; ".join(line.name for line in lines))
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{names}, over '
        f'{attribute(x.name)}">{_grid(x, y)}{drawn}</svg>'
    )
    return (
        f'<figure class="chart"><div class="keys">{keys}</div>{svg}'
        f"<figcaption>{attribute(caption)}</figcaption></figure>"
    )


def _across(x: Axis, value: float) -> float:
    return LEFT + x.part(value) * (WIDTH - LEFT - RIGHT)


def _down(y: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - y.part(value) * (HEIGHT - TOP - BOTTOM)


def _grid(x: Axis, y: Axis) -> str:
    low, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for v in x.marks:
        at = f"{_across(x, v):.1f}"
        parts.append(f'<path class="grid" d="M{at},{TOP}V{low}"/>')
        parts.append(f'<text x="{at}" y="{low + 16}">{_number(v)}</text>')
    for v in y.marks:
        at = _down(y, v)
        parts.append(f'<path class="grid" d="M{LEFT},{at:.1f}H{right}"/>')
        parts.append(f'<text class="left" x="{LEFT - 6}" y="{at + 4:.1f}">{_number(v)}</text>')
    middle = (LEFT + right) / 2
    parts.append(f'<path class="axis" d="M{LEFT},{TOP}V{low}H{right}"/>')
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 6}">{attribute(x.name)}</text>')
    return "".join(parts)


def _number(v: float) -> str:
    return f"{v:g}".replace("-", "−")


def _path(number: int, line: Line, x: Axis, y: Axis) -> str:
    """A curve, cut off where it leaves the drawing."""
    pieces: list[list[str]] = [[]]
    for a, b in zip(line.xs, line.ys, strict=True):
        if math.isfinite(b) and y.low <= b <= y.high:
            pieces[-1].append(f"{_across(x, a):.1f},{_down(y, b):.1f}")
        elif pieces[-1]:
            pieces.append([])
    d = "".join("M" + "L".join(piece) for piece in pieces if len(piece) > 1)
    return f'<path class="line k{number}" d="{d}"/>'
