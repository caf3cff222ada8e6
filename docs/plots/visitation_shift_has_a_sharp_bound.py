"""The two bounds on the visitation shift, and what no shift can exceed."""

from docs.chart import Axis, chart, curve

DISCOUNT = 0.9


def sharp(alpha: float, gamma: float = DISCOUNT) -> float:
    """2 γ α / ((1 - γ)(1 - γ + γ α))."""
    return 2 * gamma * alpha / ((1 - gamma) * (1 - gamma + gamma * alpha))


def linear(alpha: float, gamma: float = DISCOUNT) -> float:
    """2 γ α / (1 - γ)²."""
    return 2 * gamma * alpha / (1 - gamma) ** 2


def plot() -> str:
    """Over the largest total variation between the policies."""
    x = Axis("α, the largest total variation", 0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1))
    return chart(
        x,
        Axis("", 0, 40, (0, 10, 20, 30, 40)),
        (
            curve("sharp bound, attained", sharp, x),
            curve("linear bound", linear, x),
            curve("what no shift can exceed, 2/(1 − γ)", lambda a: 2 / (1 - DISCOUNT), x),
        ),
        f"γ = {DISCOUNT}. At α = 0.2 the sharp bound is {sharp(0.2):.2f}; the linear one, "
        f"{linear(0.2):.0f}, exceeds {2 / (1 - DISCOUNT):.0f}, the mass of both visitations.",
    )
