"""Exercise 1: the clipped objective and its slope."""

from collections.abc import Callable

import torch
from torch import Tensor

from numerics.lessons.exercises import answer, require_close, require_passed
from numerics.objectives.ppo_clip import clipped_surrogate

CLIPS = (0.2, 0.05)


def points() -> tuple[Tensor, Tensor]:
    """Ratios off every kink and advantages, both signs on each side of the clips, [N]."""
    rho = torch.tensor([0.3, 0.79, 0.9, 0.97, 1.03, 1.1, 1.21, 2.5], dtype=torch.float64)
    adv = torch.tensor([-2.0, -0.5, 0.7, 3.0], dtype=torch.float64)
    grid = torch.cartesian_prod(rho, adv)
    return grid[:, 0], grid[:, 1]


def check(objective: Callable[..., Tensor], slope: Callable[..., Tensor]) -> str:
    """`objective(rho, adv, clip)`: the term of each sample [N]. `slope(rho, adv, clip)`: its
    derivative with respect to each log pi [N]. Raises Unsolved.
    """
    rho, adv = points()
    for clip in CLIPS:
        where = f"clip = {clip:g}"
        expected = clipped_surrogate(rho, adv, clip)
        require_close("the objective", answer(objective, rho, adv, clip), expected, where)
        logp = rho.log().requires_grad_()
        total = clipped_surrogate(logp.exp(), adv, clip).sum()
        exact = torch.autograd.grad(total, logp)[0]
        require_close("the slope", answer(slope, rho, adv, clip), exact, where)

    def loss(logp: Tensor, logp_old: Tensor, adv: Tensor, mask: Tensor) -> Tensor:
        terms = objective((logp - logp_old).exp(), adv, 0.2)
        return -(terms * mask).sum() / mask.sum()

    require_passed("your objective", loss, "ppo_clip", clip=0.2)
    return f"The objective and its slope are right at {2 * len(rho)} points, and as a loss too."
