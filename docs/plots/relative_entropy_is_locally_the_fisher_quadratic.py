"""Both divergences of a softmax over two actions beside the quadratic of their common Hessian."""

import torch

from docs.chart import Axis, chart, curve
from numerics.lessons.divergence import fisher_quadratic, relative_entropy
from numerics.lessons.lines import point

START = (1.0, 0.0)  # logits


def plot() -> str:
    """KL(p₀ || p_t), KL(p_t || p₀) and F t²/2 along the first logit."""
    theta = torch.tensor(START, dtype=torch.float64)
    step = torch.tensor((1.0, 0.0), dtype=torch.float64)

    def law(t: float) -> torch.Tensor:
        return torch.softmax(theta + point(t) * step, -1)

    x = Axis("t, a step in the first logit", -3, 3, (-3, -2, -1, 0, 1, 2, 3))
    lines = (
        curve("t² F/2", lambda t: float(fisher_quadratic(theta, t * step)), x),
        curve("KL(p₀ ‖ p_t)", lambda t: float(relative_entropy(law(0), law(t))), x),
        curve("KL(p_t ‖ p₀)", lambda t: float(relative_entropy(law(t), law(0))), x),
    )
    values = [float(f) for f in (lines[0].ys[64], lines[1].ys[64], lines[2].ys[64])]
    return chart(
        x,
        Axis("nats", 0, 0.9, (0, 0.3, 0.6, 0.9)),
        lines,
        f"Softmax of the logits (1 + t, 0). At t = {lines[0].xs[64]:.1f} the three are "
        + ", ".join(f"{v:.5f}" for v in values)
        + " nats; further out they part.",
    )
