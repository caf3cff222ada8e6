"""The surrogate and the true improvement in the two-state problem."""

from docs.chart import Axis, chart, curve
from numerics.lessons import two_state
from numerics.lessons.lines import point


def plot() -> str:
    """Both along the unit policy gradient."""
    x = Axis("t, a step along the policy gradient", 0, 3, (0, 0.5, 1, 1.5, 2, 2.5, 3))
    predicted = lambda t: float(two_state.surrogate(point(t)))  # noqa: E731
    true = lambda t: float(two_state.gain(point(t)))  # noqa: E731
    return chart(
        x,
        Axis("", -1, 2.5, (-1, 0, 1, 2)),
        (curve("surrogate L", predicted, x), curve("true improvement", true, x)),
        f"The two-state problem of the figure page. Equal value and slope at t = 0; at t = 0.25 "
        f"the surrogate promises {predicted(0.25):.3f}, the truth is {true(0.25):.3f}, which is "
        f"largest at t = {two_state.peak_step():.2f}.",
    )
