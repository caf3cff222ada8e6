"""The optimum's probabilities while the penalty's weight moves."""

from docs.chart import Axis, chart, curve
from numerics.lessons.divergence import law
from numerics.lessons.tilted import Optimum, optimum

REWARDS, REFERENCE = (1.0, 0.5, 0.0), (0.2, 0.3, 0.5)


def plot() -> str:
    """π* for three responses over beta, on a logarithmic axis."""

    def best(beta: float) -> Optimum:
        return optimum(law(*REFERENCE), law(*REWARDS), beta)

    x = Axis("β, logarithmic", 0.03, 30, (0.03, 0.1, 0.3, 1, 3, 10, 30), logarithmic=True)
    names = [f"π*(y), r = {r:g}, π_ref = {p:g}" for r, p in zip(REWARDS, REFERENCE, strict=True)]
    lines = [
        curve(name, lambda beta, i=i: float(best(beta).policy[i]), x)
        for i, name in enumerate(names)
    ]
    one = best(1.0)
    shown = ", ".join(f"{float(p):.3f}" for p in one.policy)
    return chart(
        x,
        Axis("", 0, 1, (0, 0.25, 0.5, 0.75, 1)),
        lines,
        f"A small β leaves the best response alone, a large one the reference. At β = 1: "
        f"π* = ({shown}), KL = {float(one.divergence):.4f}, β log Z = {float(one.value):.4f}.",
    )
