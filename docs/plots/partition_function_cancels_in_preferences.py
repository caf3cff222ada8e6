"""The preference loss and the weight of its gradient over the margin."""

import math

from docs.chart import Axis, chart, curve


def plot() -> str:
    """-log σ(h) and σ(-h)."""
    x = Axis("h, the margin", -4, 4, (-4, -2, 0, 2, 4))
    loss = lambda h: math.log1p(math.exp(-h))  # noqa: E731
    weight = lambda h: 1 / (1 + math.exp(h))  # noqa: E731
    return chart(
        x,
        Axis("", 0, 4, (0, 1, 2, 3, 4)),
        (curve("loss −log σ(h), nats", loss, x), curve("weight σ(−h) of the gradient", weight, x)),
        f"At π = π_ref the margin is 0, the loss log 2 = {loss(0):.4f} and the weight 0.5; "
        f"at h = 4 the weight is {weight(4):.3f}.",
    )
