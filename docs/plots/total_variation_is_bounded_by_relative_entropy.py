"""Pinsker's two sides for two outcomes."""

from docs.chart import Axis, chart, curve
from numerics.lessons.divergence import law, relative_entropy

Q = 0.3


def plot() -> str:
    """TV² and KL/2 of (x, 1 - x) against (q, 1 - q)."""
    x = Axis("p(1)", 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1))
    q = law(Q, 1 - Q)
    half = lambda t: float(relative_entropy(law(t, 1 - t), q)) / 2  # noqa: E731
    lines = (curve("KL(p ‖ q)/2", half, x), curve("TV(p, q)²", lambda t: (t - Q) ** 2, x))
    return chart(
        x,
        Axis("", 0, 0.6, (0, 0.2, 0.4, 0.6)),
        lines,
        f"p = (p(1), 1 − p(1)), q = ({Q}, {1 - Q:.1f}). At p = (1, 0): {half(1):.4f} against "
        f"{(1 - Q) ** 2:.4f}. They touch where p = q.",
    )
