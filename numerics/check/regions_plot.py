"""The regions of a specification as a figure: both signs of A side by side, as SVG.

The curve is L for A = 1 and A = -1 beside the dashed rho A; for an objective whose value has no
meaning (a stopped ratio times log pi) it is dL/dlogp beside A. Flat regions are shaded, kinks are
rings with their ratio on the axis. The bytes depend on nothing but the specification.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from numerics.check.pieces import ADV, FROZEN, LOGP, RHO
from numerics.check.regions import Kink, Region, Regions

WIDTH, HEIGHT = 380, 250  # of one panel's axes
LEFT, TOP, GAP, BELOW = 62, 62, 66, 82
NEAR, FAR = 1 / 50, 50.0  # ratios beyond these are named in the table only
POINTS = 60
APART = 34  # pixels between two labels
TITLE = 100  # characters of a title at most
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-size: 15px; font-weight: 600 }
.small { font-size: 12px; fill: #555 }
.flat { fill: #f6e3c0 }
.flat-name { font-size: 12px; fill: #7a4b00; stroke: #f6e3c0; stroke-width: 4; paint-order: stroke }
.axis { stroke: #444; fill: none }
.guide { stroke: #bbb; stroke-dasharray: 2 3 }
.other { stroke: #888; stroke-dasharray: 6 4; fill: none; stroke-width: 1.5 }
.curve { stroke: #1b5e9b; fill: none; stroke-width: 2.5; stroke-linejoin: round }
.kink { fill: #fff; stroke: #1b5e9b; stroke-width: 2 }
"""

Curve = list[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One sign of A: where its axes stand, and the part of the plane that they show."""

    sign: int
    left: float
    low: float
    high: float
    bottom: float
    top: float

    def x(self, ratio: float) -> float:
        return self.left + WIDTH * (ratio - self.low) / (self.high - self.low)

    def y(self, value: float) -> float:
        return TOP + HEIGHT * (self.top - value) / (self.top - self.bottom)


def figure(found: Regions) -> str:
    """The SVG as text."""
    low, high = window([float(r.low) for r in found.regions])
    parts = [_part(found, sign, low, high) for sign in (1, -1)]
    width, height = LEFT + 2 * WIDTH + GAP + 20, TOP + HEIGHT + BELOW
    named, other = ("dL/dlogp", "A") if _needs_logp(found) else ("L", "ρ A")
    title = f"{found.name}: {found.text}"
    shown = title if len(title) <= TITLE else title[: TITLE - 1] + "…"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">\n'
        f"<title>{escape(title)}: {named} by the ratio for each sign of A</title>\n"
        f"<style>{STYLE}</style>\n"
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
        f'<text class="title" x="{LEFT}" y="22">{escape(shown)}</text>\n'
        + "\n".join([*parts, _key(height - 14, named, other)])
        + "\n</svg>\n"
    )


def window(bounds: Sequence[float]) -> tuple[float, float]:
    """The ratios shown: every bound of a region and 1, with as much again on each side.

    >>> window([0.8, 1.28])
    (0.0, 1.8)
    """
    seen = [1.0, *(bound for bound in bounds if NEAR < bound < FAR)]
    low, high = min(seen), max(seen)
    if low == high:
        return 0.0, 2.5
    span = high - low
    digits = max(0, math.ceil(-math.log10(span)))
    start = round(low - span, digits)
    return (0.0 if start < low / 2 else start), round(high + span, digits)


def _needs_logp(found: Regions) -> bool:
    return any(LOGP in region.value.free_symbols for region in found.regions)


def _part(found: Regions, sign: int, low: float, high: float) -> str:
    """One panel: shades below, then axes, the two curves, kinks, ticks."""
    own = [r for r in found.regions if r.sign == sign and float(r.low) < high]
    own = [r for r in own if float(r.high) > low]
    by_weight = _needs_logp(found)
    curves = [_curve(r, by_weight, low, high) for r in own]
    other = [(x, float(sign) if by_weight else sign * x) for x in (low, high)]
    values = [y for curve in (*curves, other) for _, y in curve]
    if max(values) == min(values):
        values.append(0.0)
    margin = 0.08 * (max(values) - min(values))
    left = LEFT if sign > 0 else LEFT + WIDTH + GAP
    panel = Panel(sign, left, low, high, min(values) - margin, max(values) + margin)
    kinks = [k for k in found.kinks if k.sign == sign and low < float(k.at) < high]
    drawn = [_shade(panel, r) for r in own if r.flat]
    bounds = [float(r.low) for r in own if float(r.low) > low]
    drawn += [_guide(panel, bound) for bound in bounds]
    drawn.append(_axes(panel))
    drawn.append(_line(panel, other, "other"))
    drawn += [_line(panel, curve, "curve") for curve in curves]
    drawn += [_dot(panel, k, curves) for k in kinks]
    drawn.append(_ticks(panel, bounds))
    return "\n".join(drawn)


def _curve(region: Region, by_weight: bool, low: float, high: float) -> Curve:
    shown = (region.weight if by_weight else region.value).subs({FROZEN: RHO, ADV: region.sign})
    start, end = max(float(region.low), low), min(float(region.high), high)
    straight = shown.is_polynomial(RHO) and shown.diff(RHO, 2) == 0
    count = 1 if straight else POINTS
    ratios = [start + (end - start) * i / count for i in range(count + 1)]
    return [(x, float(shown.subs(RHO, x or 1e-9))) for x in ratios]


def _shade(panel: Panel, region: Region) -> str:
    low, high = max(float(region.low), panel.low), min(float(region.high), panel.high)
    x, width = panel.x(low), panel.x(high) - panel.x(low)
    box = f'<rect class="flat" x="{x:.1f}" y="{TOP}" width="{width:.1f}" height="{HEIGHT}"/>'
    if width <= 30:
        return box
    place = f'x="{x + width / 2:.1f}" y="{TOP + 18}" text-anchor="middle"'
    return f'{box}<text class="flat-name" {place}>flat</text>'


def _guide(panel: Panel, ratio: float) -> str:
    x = panel.x(ratio)
    return f'<path class="guide" d="M{x:.1f} {TOP}V{TOP + HEIGHT}"/>'


def _axes(panel: Panel) -> str:
    zero = ""
    if panel.bottom < 0 < panel.top:
        y = panel.y(0.0)
        zero = f'<path class="guide" d="M{panel.left:.1f} {y:.1f}h{WIDTH}"/>'
    name = "A &gt; 0, drawn at A = 1" if panel.sign > 0 else "A &lt; 0, drawn at A = −1"
    middle = panel.left + WIDTH / 2
    return (
        f'{zero}<path class="axis" d="M{panel.left:.1f} {TOP}v{HEIGHT}h{WIDTH}"/>'
        f'<text x="{middle:.1f}" y="{TOP - 10}" text-anchor="middle">{name}</text>'
        f'<text x="{middle:.1f}" y="{TOP + HEIGHT + 42}" text-anchor="middle">ratio ρ</text>'
    )


def _line(panel: Panel, curve: Curve, kind: str) -> str:
    points = " ".join(f"{panel.x(x):.1f},{panel.y(y):.1f}" for x, y in curve)
    return f'<polyline class="{kind}" points="{points}"/>'


def _dot(panel: Panel, kink: Kink, curves: Iterable[Curve]) -> str:
    """A ring at each end of the curve at the kink: two where it jumps."""
    at = float(kink.at)
    heights = {round(y, 9) for curve in curves for x, y in curve if abs(x - at) < 1e-12 * at}
    told = escape(f"kink at {at:.6g}: dL/dlogp {kink.left} | {kink.right}")
    rings = [
        f'<circle class="kink" cx="{panel.x(at):.1f}" cy="{panel.y(y):.1f}" r="4"/>'
        for y in sorted(heights)
    ]
    return f"<g><title>{told}</title>{''.join(rings)}</g>"


def _ticks(panel: Panel, bounds: Sequence[float]) -> str:
    """The bounds, then 1 and the ends of the axis where there is room; a few values."""
    drawn, taken = [], list[float]()
    for ratio in (*bounds, 1.0, panel.low, panel.high):
        x = panel.x(ratio)
        if all(abs(x - other) >= APART for other in taken):
            taken.append(x)
            drawn.append(_tick(x, TOP + HEIGHT, ratio))
    for value in _round_values(panel):
        y = panel.y(value)
        drawn.append(
            f'<path class="axis" d="M{panel.left - 4:.1f} {y:.1f}h4"/>'
            f'<text class="small" x="{panel.left - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">'
            f"{_number(value)}</text>"
        )
    return "".join(drawn)


def _tick(x: float, y: float, ratio: float) -> str:
    return (
        f'<path class="axis" d="M{x:.1f} {y}v4"/>'
        f'<text class="small" x="{x:.1f}" y="{y + 18}" text-anchor="middle">{_number(ratio)}</text>'
    )


def _round_values(panel: Panel) -> list[float]:
    """About four values of the axis that are short numbers."""
    span = panel.top - panel.bottom
    size = 10.0 ** next(k for k in range(-12, 13) if 10.0**k * 10 > span)
    step = next(size * part for part in (0.1, 0.2, 0.5, 1, 2, 5) if span / (size * part) <= 5)
    first = int(panel.bottom // step)
    found = [k * step for k in range(first, first + 8)]
    return [value for value in found if panel.bottom <= value <= panel.top]


def _number(value: float) -> str:
    """Four digits, five where four would move it."""
    short = f"{value:.4g}"
    text = short if abs(float(short) - value) <= 2e-4 * abs(value) else f"{value:.5g}"
    return text.replace("-", "\N{MINUS SIGN}")


def _key(y: float, named: str, other: str) -> str:
    """What the lines, the shade and the rings are."""
    x, entries = float(LEFT), []
    marks = (
        (named, f'<path class="curve" d="M{{x:.0f}} {y - 4}h28"/>'),
        (other, f'<path class="other" d="M{{x:.0f}} {y - 4}h28"/>'),
        (
            "flat: dL/dlogp = 0",
            f'<rect class="flat" x="{{x:.0f}}" y="{y - 11}" width="28" height="14"/>',
        ),
        ("kink", f'<circle class="kink" cx="{{x:.0f}}" cy="{y - 4}" r="4"/>'),
    )
    for name, mark in marks:
        wide = 8 if name == "kink" else 34
        entries.append(mark.format(x=x))
        entries.append(f'<text class="small" x="{x + wide:.0f}" y="{y}">{name}</text>')
        x += wide + 7 * len(name) + 26
    return "".join(entries)
