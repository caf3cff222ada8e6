"""Numbers of the clipped surrogate, from the reference objective and its autograd."""

import torch
from torch import Tensor

from numerics.lessons.divergence import law
from numerics.lessons.numbers import POLICY_OPTIMISATION, TRUST_REGIONS, Judged, number
from numerics.objectives.ppo_clip import clipped_surrogate, ppo_clip

RHO, ADVANTAGE, CLIP = law(1.5, 0.6, 1.1), law(1.0, 1.0, -2.0), 0.2


def term(rho: float, advantage: float) -> Tensor:
    """min(rho A, clip(rho) A)."""
    return clipped_surrogate(law(rho), law(advantage), CLIP)[0]


def slopes(rho: Tensor, advantage: Tensor) -> Tensor:
    """The gradient of the mean clipped objective with respect to each log-probability."""
    logp = rho.log()[None].requires_grad_()
    mask = torch.ones_like(logp)
    loss = ppo_clip(logp, torch.zeros_like(logp), advantage[None], mask, clip=CLIP)
    return -torch.autograd.grad(loss, logp)[0][0]


@number("ppo.sample1.term", TRUST_REGIONS, "term of ratio 1.5 with A = 1", 1.2, 5e-10)
def first_term() -> Tensor:
    return term(1.5, 1.0)


@number("ppo.sample1.grad", TRUST_REGIONS, "its slope in the mean of three", 0.0, 5e-5)
def first_slope() -> Tensor:
    return slopes(RHO, ADVANTAGE)[0]


@number("ppo.sample2.term", TRUST_REGIONS, "term of ratio 0.6 with A = 1", 0.6, 5e-10)
def second_term() -> Tensor:
    return term(0.6, 1.0)


@number("ppo.sample2.grad", TRUST_REGIONS, "its slope in the mean of three", 0.2, 5e-5)
def second_slope() -> Tensor:
    return slopes(RHO, ADVANTAGE)[1]


@number("ppo.sample3.term", TRUST_REGIONS, "term of ratio 1.1 with A = -2", -2.2, 5e-10)
def third_term() -> Tensor:
    return term(1.1, -2.0)


@number("ppo.sample3.grad", TRUST_REGIONS, "its slope in the mean of three", -0.7333, 5e-5)
def third_slope() -> Tensor:
    return slopes(RHO, ADVANTAGE)[2]


@number("ppo.clipped.mean", TRUST_REGIONS, "clipped objective of the three", -0.1333, 5e-5)
def clipped_mean() -> Tensor:
    return clipped_surrogate(RHO, ADVANTAGE, CLIP).mean()


@number("ppo.unclipped.mean", TRUST_REGIONS, "mean of rho A of the three", -0.0333, 5e-5)
def unclipped_mean() -> Tensor:
    return clipped_surrogate(RHO, ADVANTAGE, float("inf")).mean()


@number("clip.quick-check", TRUST_REGIONS, "A = -1 at ratio 0.75: -0.8 and flat", -0.8, 5e-10)
def flat_below() -> Judged:
    value = float(term(0.75, -1.0))
    slope = float(slopes(law(0.75), law(-1.0))[0])
    return Judged(value, abs(value + 0.8) <= 5e-10 and slope == 0, f"slope {slope + 0.0:g}")


@number("grpo.clip.good", POLICY_OPTIMISATION, "A = 1 at ratio 1.5 counts as 1.2", 1.2, 5e-10)
def good() -> Tensor:
    return term(1.5, 1.0)


@number("grpo.clip.bad", POLICY_OPTIMISATION, "A = -1 at ratio 1.5 is not limited", -1.5, 5e-10)
def bad() -> Tensor:
    return term(1.5, -1.0)
