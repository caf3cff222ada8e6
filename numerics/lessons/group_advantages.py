"""Advantages of K responses to one prompt, each against its group.

    centred         A_i = r_i - mean(r)
    leave-one-out   A_i = r_i - mean of the others = K/(K-1) (r_i - mean(r))       (RLOO)
    normalised      A_i = (r_i - mean(r)) / (std(r) + guard)                       (GRPO)

Source: Ahmadian et al. (2024); Shao et al. (2024). Theorems:
`leave_one_out_is_a_rescaled_centering`, `leave_one_out_is_unbiased`,
`group_mean_baseline_shrinks_the_gradient`, `group_normalisation_ignores_shift_and_scale`,
`group_standard_deviation_reweights_prompts`.
Shapes: rewards [..., K], one group a row; results the same.
Sign: A > 0 means better than its group. Each row sums to zero.
Units: those of the reward; `normalised` has none.
Gradient: flows through the rewards; callers detach them.
Raises: UnusableInput for K < 2. A row of equal rewards is zero, also without a guard.

>>> import torch
>>> leave_one_out(torch.tensor([1.0, 0.0])).tolist()
[1.0, -1.0]
"""

from math import comb, sqrt

import torch
from torch import Tensor

from numerics.errors import UnusableInput

POPULATION, SAMPLE = 0, 1  # what is taken off K in the variance


def centred(rewards: Tensor) -> Tensor:
    """r_i - mean(r)."""
    if rewards.shape[-1] < 2:
        raise UnusableInput("a group of one", expected="K >= 2", got=str(tuple(rewards.shape)))
    return rewards - rewards.mean(-1, keepdim=True)


def leave_one_out(rewards: Tensor) -> Tensor:
    """r_i minus the mean of the others."""
    size = rewards.shape[-1]
    return centred(rewards) * (size / max(size - 1, 1))


def normalised(rewards: Tensor, *, correction: int = POPULATION, guard: float = 0.0) -> Tensor:
    """Centred rewards over their standard deviation plus a guard."""
    apart = centred(rewards)
    spread = (apart.pow(2).sum(-1, keepdim=True) / (rewards.shape[-1] - correction)).sqrt()
    equal = (rewards == rewards[..., :1]).all(-1, keepdim=True)
    return torch.where(equal, 0.0, apart / torch.where(equal, 1.0, spread + guard))


def prompt_weight(size: int, p: float) -> float:
    """w_K(p): for rewards 0 and 1 with success rate p, normalised advantages follow w_K(p) grad p.

    w_K(p) = E[sqrt(c/K (1 - c/K))] / (p (1 - p)), c ~ Bin(K, p), population deviation.
    """
    chances = [comb(size, c) * p**c * (1 - p) ** (size - c) for c in range(size + 1)]
    spreads = [sqrt(c / size * (1 - c / size)) for c in range(size + 1)]
    return sum(x * y for x, y in zip(chances, spreads, strict=True)) / (p * (1 - p))
