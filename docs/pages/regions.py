"""Where an objective is flat: cases, kinks and a plot over (rho, A), from its specification."""

from __future__ import annotations

from typing import Any

from docs.markup import inline, plain, table

ANSWERS = {True: "holds", False: "does not hold", None: "not decided"}
WIDTH, HEIGHT, LEFT = 480, 60, 60


def regions_block(name: str) -> str:
    """Plot, tables and what was decided; nothing for what is no function of (rho, A)."""
    from numerics.check.regions import regions
    from numerics.errors import UnusableInput
    from numerics.objective import objective

    try:
        found = regions(objective(lambda: None, like=name))
    except UnusableInput:
        return ""
    head = ("sign of A", "ratio", "objective", "slope in log π")
    blocks = [plot(found.regions), table(head, [row(r) for r in found.regions])]
    if found.kinks:
        head = ("sign of A", "kink at", "slope before", "slope after")
        blocks.append(table(head, [kink(k) for k in found.kinks]))
    blocks.append("\n".join([*map(decided, found.decided), *map(note, found.notes)]))
    return "\n\n".join(blocks)


def row(r: Any) -> tuple[str, str, str, str]:
    """One region of one sign of A."""
    from sympy import latex, oo

    high = "" if r.high == oo else rf" < {latex(r.high)}"
    weight = "0, flat" if r.flat else inline(latex(r.weight))
    between = inline(rf"{latex(r.low)} < \rho{high}")
    return sign(r), between, inline(latex(r.value)), weight


def kink(k: Any) -> tuple[str, str, str, str]:
    """One ratio at which the one-sided slopes differ."""
    from sympy import latex

    sides = inline(latex(k.left)), inline(latex(k.right))
    jump = f", the value jumps by {inline(latex(k.jump))}" if k.jump != 0 else ""
    return sign(k), inline(rf"\rho = {latex(k.at)}"), sides[0], sides[1] + jump


def sign(r: Any) -> str:
    """A > 0 or A < 0."""
    return "A > 0" if r.sign > 0 else "A < 0"


def decided(d: Any) -> str:
    """A statement that was decided exactly, not sampled."""
    answer = ANSWERS[d.holds] + (f" ({d.witness})" if d.witness else "")
    return f"- {plain(d.statement)}: {plain(answer)}."


def note(told: str) -> str:
    """What the table is of, where it is not of the whole loss of a token."""
    return f"- {plain(told[0].upper() + told[1:])}."


def plot(found: tuple[Any, ...]) -> str:
    """Two bands, one a sign of A; the flat parts shaded and named."""
    from numerics.check.regions_plot import window

    shown = window([float(r.low) for r in found])
    inside = [r for r in found if float(r.low) < shown[1] and float(r.high) > shown[0]]
    ends = {shown[0], *(e for r in found if shown[0] < (e := float(r.low)) < shown[1])}
    low = HEIGHT * 2 + 32
    ticks = [f'<text x="{_across(e, shown):.1f}" y="{low}">{e:g}</text>' for e in sorted(ends)]
    names = [f'<text x="28" y="{5 + HEIGHT / 2 + 5}">A &gt; 0</text>']
    names.append(f'<text x="28" y="{10 + HEIGHT * 1.5 + 5}">A &lt; 0</text>')
    names.append(f'<text x="{WIDTH - 30}" y="{low}">ρ</text>')
    return (
        f'<svg class="regions" viewBox="0 0 {WIDTH + 10} {HEIGHT * 2 + 40}" role="img" '
        f'aria-label="flat regions by ratio and sign of the advantage">'
        f"{''.join([*(_band(r, shown) for r in inside), *ticks, *names])}</svg>"
    )


def _across(ratio: float, shown: tuple[float, float]) -> float:
    return LEFT + (ratio - shown[0]) * (WIDTH - LEFT) / (shown[1] - shown[0])


def _band(r: Any, shown: tuple[float, float]) -> str:
    """One region, and what a token there gives to the gradient."""
    low, high = max(float(r.low), shown[0]), min(float(r.high), shown[1])
    x, end = _across(low, shown), _across(high, shown)
    y = 5 if r.sign > 0 else 10 + HEIGHT
    kind = "flat" if r.flat else "slopes"
    label = "flat" if r.flat else "slope"
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{end - x:.1f}" height="{HEIGHT}"/>'
        f'<text x="{(x + end) / 2:.1f}" y="{y + HEIGHT / 2 + 5}">{label}</text>'
    )
