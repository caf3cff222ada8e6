"""The three estimators of a divergence as functions of the ratio."""

import math

from docs.chart import Axis, chart, curve


def plot() -> str:
    """k1 = -log r, k2 = (log r)²/2, k3 = r - 1 - log r."""
    x = Axis("r = p(x)/q(x)", 0.05, 3, (0.5, 1, 1.5, 2, 2.5, 3))
    return chart(
        x,
        Axis("nats", -1.2, 2.4, (-1, 0, 1, 2)),
        (
            curve("k3 = r − 1 − log r", lambda r: r - 1 - math.log(r), x),
            curve("k1 = −log r", lambda r: -math.log(r), x),
            curve("k2 = (log r)²/2", lambda r: math.log(r) ** 2 / 2, x),
        ),
        f"k1 is negative for r > 1; k3 never is. At r = 2: k1 = −{math.log(2):.4f}, "
        f"k2 = {math.log(2) ** 2 / 2:.4f}, k3 = {1 - math.log(2):.4f}.",
    )
