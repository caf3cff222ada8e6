"""Where an objective is flat: the case table and a plot over (rho, A), from its specification."""

from __future__ import annotations

from typing import Any

from docs.markup import table

LIMIT = 2.5  # of the plot's ratio
WIDTH, HEIGHT, LEFT = 480, 60, 60


def regions_block(name: str) -> str:
    """Table and plot; nothing for an objective that is no function of (rho, A)."""
    from numerics.check.regions import regions
    from numerics.errors import UnusableInput
    from numerics.objective import objective

    try:
        found = regions(objective(lambda: None, like=name)).regions
    except UnusableInput:
        return ""
    rows = [row(r) for r in found]
    head = ("sign of A", "ratio", "objective", "slope in log π")
    return f"{plot(found)}\n\n{table(head, rows)}"


def row(r: Any) -> tuple[str, str, str, str]:
    """One region of one sign of A."""
    from sympy import latex, oo

    sign = "A > 0" if r.sign > 0 else "A < 0"
    high = "" if r.high == oo else rf" < {latex(r.high)}"
    low = f"{latex(r.low)} < "
    weight = "0, flat" if r.flat else f"${latex(r.weight)}$"
    return sign, rf"${low}\rho{high}$", f"${latex(r.value)}$", weight


def plot(found: tuple[Any, ...]) -> str:
    """Two bands, one a sign of A; the flat parts shaded and named."""
    scale = (WIDTH - LEFT) / LIMIT
    parts = []
    for r in found:
        low, high = float(r.low), min(float(r.high), LIMIT)
        if low >= LIMIT:
            continue
        x, w = LEFT + low * scale, (high - low) * scale
        y = 5 if r.sign > 0 else 10 + HEIGHT
        kind = "flat" if r.flat else "slopes"
        parts.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{w:.1f}" height="{HEIGHT}"/>'
        )
        label = "flat" if r.flat else "slope"
        parts.append(f'<text x="{x + w / 2:.1f}" y="{y + HEIGHT / 2 + 5}">{label}</text>')
    ends = sorted({float(e) for r in found for e in (r.low, r.high) if float(e) < LIMIT})
    ticks = [f'<text x="{LEFT + e * scale:.1f}" y="{HEIGHT * 2 + 32}">{e:g}</text>' for e in ends]
    names = [f'<text x="28" y="{5 + HEIGHT / 2 + 5}">A &gt; 0</text>']
    names.append(f'<text x="28" y="{10 + HEIGHT * 1.5 + 5}">A &lt; 0</text>')
    return (
        f'<svg class="regions" viewBox="0 0 {WIDTH + 10} {HEIGHT * 2 + 40}" role="img" '
        f'aria-label="flat regions by ratio and sign of the advantage">'
        f"{''.join([*parts, *ticks, *names])}</svg>"
    )
