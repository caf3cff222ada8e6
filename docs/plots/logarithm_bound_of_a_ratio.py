"""The logarithm under its tangent at one, on which every bound here rests."""

import math

from docs.chart import Axis, chart, curve


def plot() -> str:
    """log x and x - 1."""
    x = Axis("x", 0, 3, (0, 1, 2, 3))
    log = lambda t: math.log(t) if t > 0 else math.nan  # noqa: E731
    return chart(
        x,
        Axis("", -2.5, 2, (-2, -1, 0, 1, 2)),
        (curve("x − 1", lambda t: t - 1, x), curve("log x", log, x)),
        f"They touch at x = 1 only. At x = 2: 1 against {math.log(2):.4f}.",
    )
